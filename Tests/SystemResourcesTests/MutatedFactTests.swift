import Drover
import Secrets
import TestSupport
import Testing

@testable import SystemResources

/// A host's answer is read or refused, never a crash, and no question is left without an answer.
@Suite("Mutated facts of the system")
struct MutatedFactTests {
    private static let pieces = [
        "\n", "\n\n", "|", " ", "\t", "=", ":", "/", "-", "0", "-1", "99999999999999999999", "é", "\u{0}", "\u{1E}",
        "yes",
        "question\n", "directory", "{", "}", "\"", "[", "]", "null",
    ]

    private func read<F: Fact>(_ output: String, _ questions: [F]) {
        var mutants = Mutants(of: output, pieces: Self.pieces)
        var read = 0
        for _ in 0..<500 {
            guard let answers = try? F.answers(to: questions, from: mutants.nextText()) else { continue }
            read += 1
            #expect(questions.allSatisfy { answers[$0] != nil }, "\(F.self)")
        }
        _ = read
    }

    @Test("files, packages, units, users")
    func system() {
        read(
            "regular file|644|root|root|1732254985.123456789|/etc/motd\ndirectory|2755|root|adm|0.000000001|/a\n",
            [FileStatus("/etc/motd"), FileStatus("/a"), FileStatus("/none")])
        read("ii |1.2-3|patroni\n", [PackageStatus("patroni"), PackageStatus("etcd")])
        read(
            "ActiveState=active\nUnitFileState=enabled\nNeedDaemonReload=no\n"
                + "ExecMainStartTimestamp=Sun 2026-11-22 05:56:25.123456 UTC\n",
            [UnitStatus("patroni.service")])
        read("postgres:x:100:100:,,,:/var/lib/postgresql:/bin/sh\n", [UserEntry("postgres")])
        read("adm:x:4:a,b\n", [GroupEntry("adm")])
        read("yes\nno\n", [CommandSuccess("true"), CommandSuccess("false")])
        read("1: lo inet 127.0.0.1/8 scope host lo\n2: eth0 inet 10.0.0.1/24 brd 10.0.0.255\n", [HostAddresses()])
        read("Filename Type Size Used Priority\n/swapfile file 4194300 0 -2\n", [SwapSpaces()])
    }
}

import DroverTesting
import Testing

@testable import Starter

/// A host in, changes out: what the playbook does, without any host.
@Suite("baseline")
struct BaselineTests {
    private static let size = "/etc/systemd/journald.conf.d/size.conf"

    /// pg2 as it is declared.
    private static let declared = SampleSystem.bareDebian12.with(package: "curl")
        .with(
            file: "/etc/motd",
            containing:
                "pg2 belongs to the platform team. Drover looks after it: what is changed by hand is changed back.\n"
        )
        .with(directory: "/etc/systemd/journald.conf.d")
        .with(file: size, containing: "[Journal]\nSystemMaxUse=50M\n")

    @Test("sets up a bare host")
    func bare() throws {
        #expect(
            try Plan.of(Baseline(), on: .bareDebian12).changes(on: "pg1") == [
                "install curl", "write /etc/motd", "make directory /etc/systemd/journald.conf.d", "write \(Self.size)",
                "restart systemd-journald",
            ])
    }

    @Test(
        "changes what is not as declared, and nothing else",
        arguments: [
            (declared, []),
            (declared.with(file: "/etc/motd", containing: "hello\n"), ["write /etc/motd"]),
            (
                declared.with(file: size, containing: "[Journal]\n"),
                ["write \(size)", "restart systemd-journald"]
            ),
            // A run that died before the restart.
            (
                declared.with(
                    file: size, containing: "[Journal]\nSystemMaxUse=50M\n",
                    modified: Timestamp(nanoseconds: SampleSystem.started.nanoseconds + 1)),
                ["restart systemd-journald"]
            ),
        ] as [(SampleSystem, [String])])
    func changes(system: SampleSystem, expected: [String]) throws {
        #expect(try Plan.of(Baseline(), on: system).changes(on: "pg2") == expected)
    }
}

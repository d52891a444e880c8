import Foundation
import Testing

/// Hosts that are locked, unreachable, or refuse the login.
@Suite("Hosts without access")
struct ConnectionFailureTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]

    @Test("apply changes nothing while another run holds the lock of a host: exit code 6", .lab(from: .deployed))
    func locked() async throws {
        // The first run since the boot creates the file.
        expectNothingChanged(try await lab.apply())
        try await lab.must(on: "pg1", "systemd-run --quiet --unit holder flock /run/drover/lock sleep 600")
        try await lab.must(
            on: "pg1", "until [ -e /run/drover/lock ] && ! flock -n /run/drover/lock true; do sleep 0.05; done")
        let result = try await lab.apply()
        #expect(result.status == 6, "\(result.everything)")
        try await lab.must(on: "pg1", "systemctl stop holder")
        expectNothingChanged(try await lab.apply())
    }

    @Test("apply names a host that it cannot reach: exit code 4", .lab(from: .deployed))
    func unreachable() async throws {
        try await lab.fault("cut", "pg3")
        let result = try await lab.apply()
        #expect(result.status == 4, "\(result.everything)")
        #expect(result.errors.contains("pg3: 10.70.0.13"), "\(result.errors)")
        #expect(!result.errors.contains("pg1:"), "\(result.errors)")
    }

    // MARK: Logins

    @Test("a changed host key ends the run with both fingerprints: exit code 5", .lab(of: 3))
    func hostKey() async throws {
        let known = try String(contentsOfFile: "\(lab.folder)/known_hosts", encoding: .utf8)
        let wrong = "\(lab.folder)/wrong_hosts"
        try known.replacing("10.70.0.12", with: "x").replacing("10.70.0.11", with: "10.70.0.12")
            .write(toFile: wrong, atomically: true, encoding: .utf8)
        let result = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "--known-hosts", wrong)
        #expect(result.status == 5, "\(result.everything)")
        let complaint = try #require(result.errors.linesOfOutput.first { $0.contains("pg2: ") }, "\(result.errors)")
        #expect(complaint.split(separator: "SHA256:").count == 3, "\(complaint)")
    }

    @Test(
        "the error for a refused key names the key, and a remedy for RSA: exit code 5", .lab(of: 3),
        arguments: ["ed25519", "rsa"])
    func key(kind: String) async throws {
        let key = "\(lab.folder)/other_\(kind)"
        let made = try await Command.run(["ssh-keygen", "-q", "-t", kind, "-N", "", "-f", key])
        try #require(made.status == 0, "\(made.everything)")
        if kind == "rsa" {
            // The hosts accept the RSA key; libssh2 cannot use it.
            let line = try String(contentsOfFile: "\(key).pub", encoding: .utf8)
            for host in hosts { try await lab.must(on: host, "echo '\(line.trimmed)' >>/root/.ssh/authorized_keys") }
        }
        let inventory = try lab.inventory(replacing: [("\(lab.folder)/id_ed25519", key)])
        let result = try await lab.drover("plan", "deploy-cluster", "-i", inventory)
        #expect(result.status == 5, "\(result.everything)")
        #expect(result.errors.contains(key), "\(result.errors)")
        if kind == "rsa" {
            #expect(result.errors.contains("RSA"), "\(result.errors)")
            #expect(result.errors.contains("ssh-keygen -t ed25519"), "\(result.errors)")
        }
    }
}

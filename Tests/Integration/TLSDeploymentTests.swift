import Foundation
import Testing

/// The deployment of a cluster with TLS whose passwords nobody has given, on hosts that have the packages and nothing else.
@Suite("Deployment with TLS", .lab(of: 2, isPrepared: true))
struct TLSDeploymentTests: TLSSuite {
    @Test("without a vault password they are readable by their owner alone, and encryption is recommended")
    func noVault() async throws {
        try writeInventory()
        let result = try await lab.apply(inventory)
        try #require(result.status == 0, "\(result.everything)")
        #expect(
            result.output.contains(
                "that file will be readable by its owner alone, but not encrypted: --vault-password-file FILE"),
            "\(result.output)")
        for file in ["passwords.yml", "ca.key", "etcd-ca.key"] {
            let path = "\(secrets)/\(file)"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(file)")
        }
        let text = try String(contentsOfFile: "\(secrets)/passwords.yml", encoding: .utf8)
        #expect(text.contains("patroni_superuser_password: "))
        expectNothingChanged(try await lab.apply(inventory))
    }

    @Test("passwords are made up once, kept encrypted, and shown by nothing but 'secret view'; so are the authorities")
    func deploy() async throws {
        try writeInventory()
        let plan = try await drover("plan", "deploy-cluster")
        #expect(plan.status == 0, "\(plan.everything)")
        #expect(
            plan.output.contains(
                "patroni_superuser_password, patroni_replication_password, pgbouncer_auth_password, "
                    + "patroni_restapi_password will be made up"),
            "\(plan.output)")
        #expect(!isThere(secrets))
        let result = try await drover("apply", "deploy-cluster", "--yes")
        try #require(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await drover("apply", "deploy-cluster", "--yes"))
        for file in ["passwords.yml", "ca.key", "etcd-ca.key"] {
            let text = try String(contentsOfFile: "\(secrets)/\(file)", encoding: .utf8)
            #expect(text.hasPrefix("$ANSIBLE_VAULT;1.1;AES256\n"))
            let mode = try FileManager.default.attributesOfItem(atPath: "\(secrets)/\(file)")[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
        let view = try await Command.run([Drover.program, "secret", "view", "\(secrets)/passwords.yml"] + vault)
        let passwords = view.output.linesOfOutput.compactMap { $0.split(separator: " ").last.map(String.init) }
        try #require(passwords.count == 4, "\(view.errors)")
        for password in passwords {
            #expect(
                password.count == 32 && !plan.everything.contains(password) && !result.everything.contains(password))
        }
        let planned = Steps.planned(in: plan.output)
        let applied = Steps.applied(in: result.output)
        #expect(applied.isSubset(of: planned), "\(applied.subtracting(planned))")
    }
}

import Foundation
import Testing

/// Drover reports all wrong input at once, with exit code 1, before it contacts any host: the inventories name a port of
/// this machine on which nothing listens, so a contact would exit with 4.
@Suite("Wrong input")
struct WrongInputTests {
    static let good = """
        all:
          vars:
            ansible_host: 127.0.0.1
            ansible_port: 1
            patroni_cluster_name: test
            patroni_superuser_password: a
            patroni_replication_password: b
            pgbouncer_auth_password: c
          children:
            etcd_cluster: { hosts: { pg1: } }
            master: { hosts: { pg1: } }
            balancers: { hosts: { pg1: } }

        """

    @Test(
        "Drover reports an error with its place and its remedy",
        arguments: [
            (
                "ansible_port: 1\n", "ansible_port: 1\n    haproxy_maxcon: 5\n",
                "5:5: unknown variable 'haproxy_maxcon'; did you mean 'haproxy_maxconn'?"
            ),
            (
                "etcd_cluster", "etcd_clutser",
                "10:5: no host is in the group 'etcd_cluster'; 'etcd_clutser' is no group of a cluster: write 'etcd_cluster'"
            ),
            (
                "ansible_port: 1\n", "ansible_port: 1\n    cluster_vip: 10.70.0.300\n",
                "5:18: '10.70.0.300' is no IPv4 address; write four numbers, such as 10.70.0.100"
            ),
            (
                "    patroni_cluster_name: test\n", "",
                "the variable 'patroni_cluster_name' is missing; set it under the vars of 'all'"
            ),
        ])
    func reported(old: String, new: String, complaint: String) async throws {
        let result = try await plan(WrongInputTests.good.replacing(old, with: new))
        #expect(result.status == 1)
        #expect(result.errors.contains(complaint), "\(result.everything)")
    }

    @Test("Drover reports all errors at once")
    func allAtOnce() async throws {
        let text = WrongInputTests.good.replacing("etcd_cluster", with: "etcd_clutser")
            .replacing("    patroni_cluster_name: test\n", with: "    unheard_of: 1\n")
        let result = try await plan(text)
        #expect(result.status == 1)
        for complaint in ["'etcd_cluster'", "'patroni_cluster_name' is missing", "unknown variable 'unheard_of'"] {
            #expect(result.errors.contains(complaint), "\(result.everything)")
        }
    }

    @Test("Drover reports the place where an inventory stops being YAML")
    func noYAML() async throws {
        let result = try await plan(WrongInputTests.good + "  broken: [1, 2\n")
        #expect(result.status == 1)
        #expect(result.errors.contains("inventory.yml:14:1: "), "\(result.everything)")
    }

    @Test("Drover reports an error in a template before it contacts any host")
    func template() async throws {
        try await withFolder { folder in
            for name in ["templates", "inventory"] {
                try FileManager.default.copyItem(atPath: "\(Drover.checkout)/\(name)", toPath: "\(folder)/\(name)")
            }
            try FileManager.default.copyItem(atPath: Drover.program, toPath: "\(folder)/drover")
            let path = "\(folder)/templates/haproxy.cfg"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            try text.replacing("in servers %}", with: "in servrs %}").write(
                toFile: path, atomically: true, encoding: .utf8)
            try WrongInputTests.good.write(toFile: "\(folder)/inventory.yml", atomically: true, encoding: .utf8)
            let result = try await Command.run([
                "\(folder)/drover", "plan", "deploy-cluster", "-i", "\(folder)/inventory.yml",
            ])
            #expect(result.status == 1)
            #expect(result.errors.contains("undefined name 'servrs'; did you mean 'servers'?"), "\(result.everything)")
            #expect(result.errors.contains("templates/haproxy.cfg:"), "\(result.everything)")
        }
    }

    @Test("Drover reports errors of the command line")
    func commandLine() async throws {
        let playbook = try await Drover.run("plan", "deploy-clustr", "-i", "x")
        #expect(playbook.status == 1)
        #expect(playbook.errors.contains("unknown playbook 'deploy-clustr'; did you mean 'deploy-cluster'?"))
        try await withFolder { folder in
            try WrongInputTests.good.write(toFile: "\(folder)/inventory.yml", atomically: true, encoding: .utf8)
            let variable = try await Drover.run(
                "plan", "deploy-cluster", "-i", "\(folder)/inventory.yml", "-e", "patroni_loop_wiat=5")
            #expect(variable.status == 1)
            #expect(
                variable.errors.contains("unknown variable 'patroni_loop_wiat'; did you mean 'patroni_loop_wait'?"),
                "\(variable.everything)")
        }
        let option = try await Drover.run("plan", "deploy-cluster", "-i", "x", "--dif")
        #expect(option.status == 1)
        let missing = try await Drover.run("plan", "deploy-cluster", "-i", "nowhere.yml")
        #expect(missing.status == 1)
        #expect(missing.errors.contains("nowhere.yml"), "\(missing.everything)")
    }

    @Test("apply without a terminal asks for --yes and applies nothing")
    func approval() async throws {
        try await withFolder { folder in
            try WrongInputTests.good.write(toFile: "\(folder)/inventory.yml", atomically: true, encoding: .utf8)
            let result = try await Drover.run("apply", "deploy-cluster", "-i", "\(folder)/inventory.yml")
            #expect(result.status == 1)
            #expect(result.errors.contains("add --yes"), "\(result.everything)")
        }
    }

    @Test("plan of an unreachable host exits with 4")
    func unreachable() async throws {
        let result = try await plan(WrongInputTests.good)
        #expect(result.status == 4)
        #expect(
            result.errors.contains("pg1: cannot connect to 127.0.0.1 port 1: connection refused"),
            "\(result.everything)")
    }

    @Test("status without an answer from any host exits with 4")
    func statusOfNobody() async throws {
        try await withFolder { folder in
            try WrongInputTests.good.write(toFile: "\(folder)/inventory.yml", atomically: true, encoding: .utf8)
            let result = try await Drover.run("status", "-i", "\(folder)/inventory.yml")
            #expect(result.status == 4)
            #expect(result.errors.contains("pg1: cannot connect to 127.0.0.1 port 1"), "\(result.everything)")
        }
    }

    private func plan(_ inventory: String) async throws -> Command {
        try await withFolder { folder in
            try inventory.write(toFile: "\(folder)/inventory.yml", atomically: true, encoding: .utf8)
            return try await Drover.run("plan", "deploy-cluster", "-i", "\(folder)/inventory.yml")
        }
    }

    private func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.path + "/drover-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let result: Value
        do {
            result = try await body(folder)
        } catch {
            try FileManager.default.removeItem(atPath: folder)
            throw error
        }
        try FileManager.default.removeItem(atPath: folder)
        return result
    }
}

import Testing

import Diagnostics
import Inventory
import SSH
import Secrets
import TestSupport
import YAML

@Suite("Inventory secrets")
struct SecretTests {
    private static func inventory(_ variables: String) throws -> (Inventory, TemporaryDirectory) {
        let directory = try TemporaryDirectory([
            "hosts.yml": "a:\n  hosts: {h1: , h2: }\n  vars:\n" + variables, "secret.txt": "from file\n",
        ])
        return (try Inventory.load(file: "\(directory.path)/hosts.yml"), directory)
    }

    @Test("come from outside when they are asked for")
    func resolves() async throws {
        let (unresolved, directory) = try Self.inventory(
            """
                plain: hunter2
                file: !file secret.txt
                command: !command echo from  command
                list: !command [printf, "%s", "two words"]
                path: !env PATH
                users: [{name: x, password: !command printf nested}]

            """)
        let inventory = try await unresolved.resolvingSecrets()
        withExtendedLifetime(directory) {}
        func secret(_ name: String) throws -> String {
            let variable = try #require(inventory.hosts[1].variables[name])
            return try Secret(yaml: variable.node).reveal()
        }
        #expect(try secret("plain") == "hunter2")
        #expect(try secret("file") == "from file")
        #expect(try secret("command") == "from command")
        #expect(try secret("list") == "two words")
        #expect(try !secret("path").isEmpty)
        let users = try #require(inventory.hosts[0].variables["users"])
        let user = try #require(try [YAMLNode](yaml: users.node).first)
        #expect(try Secret(yaml: try #require(user["password"])).reveal() == "nested")
        #expect(try await inventory.resolvingSecrets().hosts.count == 2)
    }

    @Test("that stand at the same place of two options stay apart")
    func apart() async throws {
        let directory = try TemporaryDirectory(["hosts.yml": "a: {hosts: {h: }}\n", "one": "1", "two": "2"])
        let command = "!command [sh, -c, 'echo x >>\(directory.path)/runs; wc -l <\(directory.path)/runs']"
        let inventory = try await Inventory.load(
            file: "\(directory.path)/hosts.yml",
            extraVariables: ["{a: !file one}", "{b: !file two}", "{c: \(command)}", "{d: \(command)}"]
        ).resolvingSecrets()
        let secrets = try ["a", "b", "c", "d"].map { name in
            try Secret(yaml: try #require(inventory.hosts[0].variables[name]).node).reveal()
        }
        #expect(secrets[..<2] == ["1", "2"])
        #expect(Set(secrets[2...]) == ["1", "2"], "the same command at two places is run twice")
    }

    @Test("are no strings")
    func typed() async throws {
        let (unresolved, directory) = try Self.inventory("    x: !file secret.txt\n")
        func fault(_ body: (YAMLNode) throws -> Void, in inventory: Inventory) throws -> String {
            let node = try #require(inventory.hosts[0].variables["x"]).node
            return directory.shortened(try #require(throws: Diagnostic.self) { try body(node) }.description)
        }
        let resolved = try await unresolved.resolvingSecrets()
        #expect(
            try fault({ _ = try Secret(yaml: $0) }, in: unresolved)
                == "hosts.yml:4:8: the secret was not read from outside yet")
        #expect(
            try fault({ _ = try String(yaml: $0) }, in: resolved)
                == "hosts.yml:4:8: expected a string, found a secret; "
                + "this will be seen, so write it neither encrypted nor from outside")
    }

    @Test("that cannot be read are named all at once")
    func failures() async throws {
        let (inventory, directory) = try Self.inventory(
            """
                a: !env DROVER_TEST_IS_NEVER_SET
                b: !file missing.txt
                c: !command [sh, -c, "echo out; echo err >&2; exit 3"]
                d: !command drover-test-is-no-program
                e: !command true

            """)
        let diagnostics = try await #require(throws: Diagnostics.self) { try await inventory.resolvingSecrets() }
        let lines = directory.shortened(diagnostics.description).split(separator: "\n").map(String.init)
        #expect(lines[0] == "hosts.yml:4:8: the environment variable 'DROVER_TEST_IS_NEVER_SET' is not set")
        #expect(lines[1] == "hosts.yml:5:8: cannot read 'missing.txt': No such file or directory")
        #expect(lines[2] == "hosts.yml:6:8: the command 'sh' failed with exit status 3: err")
        #expect(lines[3].hasPrefix("hosts.yml:7:8: the command 'drover-test-is-no-program' cannot be run: "))
        #expect(lines[4] == "hosts.yml:8:8: the command 'true' is empty")
        #expect(lines.count == 5)
    }

    @Test("reads the secrets of connections, and who to become and through whom to go")
    func connection() async throws {
        let text = """
            all:
              children:
                a:
                  hosts:
                    h1:
                      ansible_password: !command [echo, one]
                      ansible_become: true
                      ansible_become_user: postgres
                      ansible_become_pass: two
                    h2: { ansible_become: false, ansible_ssh_common_args: -o ProxyJump=none }
                  vars:
                    ansible_ssh_private_key_passphrase: !file three
                    ansible_ssh_common_args: -J ann@outer:2200,inner -o UserKnownHostsFile=known
            """
        let directory = try TemporaryDirectory(["hosts.yml": text, "three": "three\n"])
        let read = try Inventory.load(file: "\(directory.path)/hosts.yml")
        #expect(read.hosts[0].connection.password == nil)
        let hosts = try await read.resolvingSecrets().hosts.map(\.connection)
        #expect(hosts[0].password == Secret("one"))
        #expect(hosts[0].becomePassword == Secret("two"))
        #expect(hosts.map(\.passphrase) == [Secret("three"), Secret("three")])
        #expect(hosts.map(\.becomes) == [true, false])
        #expect(hosts[0].becomeUser == "postgres")
        #expect(
            hosts.map(\.jumps) == [[JumpHost(user: "ann", name: "outer", port: 2200), JumpHost(name: "inner")], []])
        #expect(hosts.map(\.knownHostsFile) == ["known", nil])
    }

    @Test("are shown nowhere, neither as variables nor among options")
    func masked() throws {
        let (inventory, directory) = try Self.inventory(
            """
                app_password: seen1
                pgbackrest_conf:
                  global:
                    - { option: repo1-cipher-pass, value: seen2 }
                    - { option: repo1-s3-key, value: seen3 }
                    - { option: repo1-path, value: /shown }

            """)
        withExtendedLifetime(directory) {}
        for text in [inventory.listing, inventory.hosts[0].listing] {
            #expect(!text.contains("seen"), "\(text)")
            #expect(text.contains("/shown"))
        }
    }
}

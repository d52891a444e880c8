import Diagnostics
import FoundationEssentials
import Inventory
import Secrets
import TestSupport
import Testing
import Vault
import YAML

/// What `Vault/` has encrypted was made by ansible-core 2.19.14: `ansible-vault encrypt --vault-password-file
/// password.txt` for `group_vars` and `extra.yml`, `encrypt --vault-id prod@FILE` for `host_vars`, and `encrypt_string`
/// for the value in `hosts.yml`.
@Suite("Encrypted variables")
struct VaultInventoryTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/Vault"
    private static let passwords = VaultPasswords([
        .init(Secret("the password")), .init(label: "prod", Secret("other")),
    ])

    private static func fault(_ passwords: VaultPasswords, extra: [String] = []) async throws -> [String] {
        let diagnostics = try await #require(throws: Diagnostics.self) {
            try await Inventory.load(["\(folder)/hosts.yml"], extraVariables: extra, vault: passwords)
                .resolvingSecrets()
        }
        return diagnostics.description.replacing("\(folder)/", with: "").split(separator: "\n").map(String.init)
    }

    @Test("are secrets, wherever they are referred to")
    func reads() async throws {
        let inventory = try await Inventory.load(
            ["\(Self.folder)/hosts.yml"], extraVariables: ["@\(Self.folder)/extra.yml"], vault: Self.passwords
        ).resolvingSecrets()
        let host = try inventory.host(named: "h1")
        func secret(_ name: String) throws -> String {
            try Secret(yaml: try #require(host.variables[name]).node).reveal()
        }
        #expect(try secret("patroni_superuser_password") == "s3cret one")
        #expect(try secret("vault_of_host") == "two")
        #expect(try secret("extra") == "three")
        #expect(try secret("inline") == "four\nlines")
        #expect(host.connection.becomePassword == Secret("su: do"))
        let users = try [YAMLNode](yaml: try #require(host.variables["postgresql_users"]).node)
        #expect(try Secret(yaml: try #require(users[0]["password"])).reveal() == "12345")
        for text in [inventory.listing, host.listing] {
            #expect(!["s3cret", "two", "three", "four", "su: do", "12345"].contains(where: text.contains), "\(text)")
        }
        var variables = Variables(of: inventory)
        let password: Secret? = variables.optional("patroni_superuser_password")
        #expect(password == Secret("s3cret one"))
        variables.reportUnknown()
        #expect(
            variables.diagnostics.all.map(\.message).sorted() == [
                "unknown variable 'extra'", "unknown variable 'inline'", "unknown variable 'postgresql_users'",
                "unknown variable 'vault_of_host'",
            ], "'vault_users' is read by another variable")
        let number: Int? = variables.optional("vault_of_host")
        #expect(number == nil)
        #expect(
            variables.diagnostics.all.last?.description.hasSuffix(
                "host_vars/h1.yml:1:16: expected a whole number, found a secret; "
                    + "this will be seen, so write it neither encrypted nor from outside") == true)
    }

    @Test("want their passwords")
    func passwords() async throws {
        let open = "it by '--vault-password-file FILE' or '--ask-vault-pass'"
        #expect(
            try await Self.fault(VaultPasswords()) == [
                "group_vars/all/vault.yml:1:1: the file is encrypted by ansible-vault, and there is no password for it; "
                    + "give \(open)",
                "host_vars/h1.yml:1:1: the file is encrypted by ansible-vault, and there is no password for it; "
                    + "give it by '--vault-id prod@FILE' or '--vault-id prod@prompt'",
            ])
        #expect(
            try await Self.fault(VaultPasswords([.init(Secret("the password"))])) == [
                "host_vars/h1.yml:1:1: the file is encrypted under another password, which is called 'prod', or damaged; "
                    + "check what --vault-password-file, --vault-id or --ask-vault-pass gave"
            ])
    }

    @Test("of an inventory that is not asked for its secrets need no password")
    func unasked() async throws {
        let text = try String(contentsOf: URL(filePath: "\(Self.folder)/hosts.yml"), encoding: .utf8)
        let directory = try TemporaryDirectory(["hosts.yml": text])
        let inventory = try await Inventory.load(["\(directory.path)/hosts.yml"])
        let diagnostics = try await #require(throws: Diagnostics.self) { try await inventory.resolvingSecrets() }
        #expect(
            directory.shortened(diagnostics.description)
                == "hosts.yml:6:13: the value is encrypted by ansible-vault, and there is no password for it; "
                + "give it by '--vault-password-file FILE' or '--ask-vault-pass'")
    }

    private static let faults: [(clear: String, expected: String)] = [
        ("just a password", "1:1: expected variables, found a secret; write each as 'name: value'"),
        ("a: [1", "2:1: what is encrypted here is not the YAML of variables; correct it by 'drover secret edit x.yml'"),
        (
            "a: *pass",
            "1:4: what is encrypted here is not the YAML of variables; correct it by 'drover secret edit x.yml'"
        ),
        (
            "a: !pass word",
            "1:4: an encrypted value has a tag that is not understood; if the value itself begins with '!', put it in quotes"
        ),
        (
            "a: [x, '{{ pass }}']",
            "1:8: an encrypted value has Jinja in it, which is not evaluated there; "
                + "refer to it, alone, by '{{ name }}' in a file that is not encrypted"
        ),
        (
            "ansible_port: 22",
            "1:15: expected a whole number, found a secret; "
                + "this will be seen, so write it neither encrypted nor from outside"
        ),
    ]

    @Test("that are wrong are not shown", arguments: faults)
    func wrong(clear: String, expected: String) async throws {
        let text = try VaultText(encrypting: Array(clear.utf8), with: Secret("p"))
        let directory = try TemporaryDirectory(["hosts": "h\n", "x.yml": text.description])
        let error = try await #require(throws: Diagnostics.self) {
            try await Inventory.load(
                ["\(directory.path)/hosts"], extraVariables: ["@\(directory.path)/x.yml"],
                vault: VaultPasswords([.init(Secret("p"))]))
        }
        #expect(directory.shortened(error.description) == "x.yml:" + expected)
    }

    @Test("are refused where hosts are named")
    func inventory() async throws {
        let text = try VaultText(encrypting: Array("h\n".utf8), with: Secret("p"))
        let directory = try TemporaryDirectory(["hosts": text.description])
        let error = try await #require(throws: Diagnostics.self) {
            try await Inventory.load(["\(directory.path)/hosts"])
        }
        #expect(
            directory.shortened(error.description)
                == "hosts:1:1: the inventory 'hosts' is encrypted, but the names of hosts are shown everywhere; "
                + "decrypt it by 'drover secret view', and encrypt only files in group_vars/ and host_vars/")
    }

    private static let sources: [(id: String, label: String?, password: String)] = [
        ("FOLDER/password.txt", nil, "the password"), ("@FOLDER/password-program", nil, "other"),
        ("prod@FOLDER/prod-client.sh", "prod", "other"), ("dev@prompt", "dev", "typed"),
    ]

    @Test("get their passwords from files, programs and people", arguments: sources.indices)
    func source(index: Int) async throws {
        let (id, label, expected) = Self.sources[index]
        let source = try VaultPasswordSource(id: id.replacing("FOLDER", with: Self.folder))
        let password = try await source.read { question in
            #expect(question == "Vault password (dev): ")
            return Secret(" typed")
        }
        #expect(password.label == label)
        #expect(password.secret == Secret(expected))
    }

    @Test("name the source of a password that cannot be had")
    func noPassword() async throws {
        let directory = try TemporaryDirectory(["empty": "\n"])
        func fault(_ body: () async throws -> Void) async throws -> String {
            directory.shortened(try await #require(throws: Diagnostic.self) { try await body() }.description)
        }
        func read(_ file: String) async throws {
            _ = try await VaultPasswordSource(file: "\(directory.path)/\(file)").read { _ in Secret("") }
        }
        #expect(try await fault { try await read("none") } == "cannot read 'none': No such file or directory")
        #expect(try await fault { try await read("empty") } == "the vault password file 'empty' is empty")
        #expect(
            try await fault { _ = try VaultPasswordSource(id: "prod@") }
                == "--vault-id prod@: no password comes from there; write LABEL@FILE or LABEL@prompt")
    }
}

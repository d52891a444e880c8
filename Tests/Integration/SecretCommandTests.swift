import Foundation
import Testing

/// `drover secret`: files that ansible-vault could have written.
@Suite("Secret files")
struct SecretCommandTests {
    private let folder: String
    private var file: String { "\(folder)/secrets.yml" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "drover-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in [("secrets.yml", "clear: 1\n"), ("password", "right\n"), ("other", "wrong\n")] {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file)
    }

    private func secret(_ verb: String, password: String = "password", editor: String = "false") async throws -> Command
    {
        let command = ["secret", verb, file, "--vault-password-file", "\(folder)/\(password)"]
        return try await Command.run(["env", "-u", "VISUAL", "EDITOR=\(editor)", Drover.program] + command)
    }

    private var content: String {
        get throws { try String(contentsOfFile: file, encoding: .utf8) }
    }

    @Test("are encrypted in place, viewed and edited, and stay unchanged when that fails")
    func life() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let encrypting = try await secret("encrypt")
        #expect(encrypting.status == 0, "\(encrypting.everything)")
        #expect(try content.hasPrefix("$ANSIBLE_VAULT;1.1;AES256\n"))
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o640)
        #expect(try await secret("view").output == "clear: 1\n")

        let editing = try await secret("edit", editor: "sed -i s/1/2/")
        #expect(editing.status == 0, "\(editing.everything)")
        #expect(try await secret("view").output == "clear: 2\n")

        let before = try content
        for (result, complaint) in [
            (try await secret("encrypt"), "is encrypted already"),
            (try await secret("view", password: "other"), "encrypted under another password"),
            (try await secret("edit", password: "other", editor: "sed -i s/2/3/"), "encrypted under another password"),
            (try await secret("edit", editor: "false"), "the editor 'false' has failed, and nothing was changed"),
        ] {
            #expect(result.status == 1)
            #expect(result.errors.contains(complaint), "\(result.everything)")
            #expect(result.output.isEmpty)
        }
        #expect(try content == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(names.sorted() == ["other", "password", "secrets.yml"])
    }
}

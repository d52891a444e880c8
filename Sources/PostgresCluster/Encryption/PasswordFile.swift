import Diagnostics
import FoundationEssentials
import Inventory
import Secrets
import Vault
import YAML

/// The file `passwords.yml` of a cluster: the passwords that Drover has generated.
struct PasswordFile: Sendable {
    let path: String
    /// The passwords by the names of their variables.
    private(set) var passwords: [String: Secret] = [:]
    /// What the file contains, decrypted; nil if there is none.
    private var plain: Secret?
    /// What the file contains; nil if there is none.
    private let stored: Secret?
    /// The vault password for its content; nil leaves it in plain text, readable by its owner alone.
    private var lock: VaultPasswords.Password?

    /// Reads the file if there is one.
    ///
    /// - Throws: a `Diagnostic` if it cannot be read or decrypted.
    init(in folder: String, vault: VaultPasswords) throws {
        path = "\(folder)/passwords.yml"
        lock = vault.all.first
        guard FileManager.default.fileExists(atPath: path) else {
            stored = nil
            return
        }
        var text = try TextFile.read(path)
        stored = Secret(text)
        if VaultText.isIn(text) {
            let encrypted = try VaultText(text, at: location)
            let opened = try vault.open(encrypted, "the file", at: location)
            lock = .init(label: encrypted.label ?? opened.password.label, opened.password.secret)
            text = String(decoding: opened.bytes, as: UTF8.self)
        }
        plain = Secret(text)
        passwords = try Self.passwords(in: text, of: path)
    }

    var location: SourceLocation { SourceLocation(file: path, line: 1, column: 1) }

    var exists: Bool { stored != nil }

    var isEncrypted: Bool { lock != nil }

    /// Generates passwords, also in place of those that are there.
    ///
    /// - Throws: a `Diagnostic` if the file has them in a form that Drover does not write.
    mutating func generate(_ names: [String]) throws {
        let fresh = Dictionary(uniqueKeysWithValues: names.map { ($0, Self.random()) })
        // Comments and the order of the lines stay as they are.
        var lines = plain?.reveal().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) ?? []
        if lines.last == "" { lines.removeLast() }
        for (name, password) in names.compactMap({ name in fresh[name].map { (name, $0.reveal()) } }) {
            let line = "\(name): \(password)"
            if let index = lines.firstIndex(where: { $0.hasPrefix("\(name):") }) {
                lines[index] = line
            } else {
                lines.append(line)
            }
        }
        let text = lines.map { $0 + "\n" }.joined()
        let expected = passwords.merging(fresh) { $1 }
        guard (try? Self.passwords(in: text, of: path)) == expected else {
            throw Diagnostic(
                "cannot set \(names.joined(separator: ", ")) in this file", at: location,
                remedy: "write one 'NAME: PASSWORD' a line by 'drover secret edit \(path)'")
        }
        (passwords, plain) = (expected, Secret(text))
    }

    /// The file with its passwords as it is to be written.
    func file() throws -> SecretFile {
        let text = plain?.reveal() ?? ""
        let content = try lock.map {
            try VaultText(encrypting: Array(text.utf8), with: $0.secret, label: $0.label).description
        }
        return SecretFile(path: path, content: Secret(content ?? text), replaced: stored)
    }

    private static func passwords(in text: String, of path: String) throws -> [String: Secret] {
        guard case .mapping(let entries)? = try YAML.parse(text, file: path)?.value else { return [:] }
        return Dictionary(
            entries.compactMap { entry in
                entry.key.text.flatMap { key in entry.value.text.map { (key, Secret($0)) } }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// As hard to guess as a key of 190 bits, and without a character that has a meaning anywhere.
    static func random() -> Secret {
        let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        return Secret(String((0..<32).compactMap { _ in characters.randomElement() }))
    }
}

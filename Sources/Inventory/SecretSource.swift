import Diagnostics
import FoundationEssentials
import Subprocess
import Vault
import YAML

/// Where a secret from outside comes from.
enum SecretSource: Hashable {
    case environment(String)
    case file(String)
    case command([String])
    case vault(VaultText)

    /// The source that the tag of a value names, or nil when it has no tag.
    ///
    /// - Throws: a `Diagnostic` for any other tag, or for a value that does not fit the tag.
    init?(_ node: YAMLNode) throws(Diagnostic) {
        guard let tag = node.tag else { return nil }
        switch tag {
        case "!env": self = .environment(try Self.word(node, "the name of an environment variable"))
        case "!file": self = .file(try Self.word(node, "the path of a file"))
        case "!command":
            let argv = Self.argv(node)
            guard argv.first?.isEmpty == false else {
                throw Diagnostic("'!command' needs a program and its arguments", at: node.location)
            }
            self = .command(argv)
        case "!vault", "!vault-encrypted":
            self = .vault(try VaultText(Self.word(node, "an encrypted text"), at: node.location))
        default:
            let tags = ["!env", "!file", "!command", "!vault"]
            throw Diagnostic(
                "unknown tag '\(tag)'", at: node.location,
                remedy: Suggestion.remedy(for: tag, among: tags) ?? "the tags are \(tags.joined(separator: ", "))")
        }
    }

    private static func word(_ node: YAMLNode, _ what: String) throws(Diagnostic) -> String {
        guard let text = node.text, !text.isEmpty else {
            throw Diagnostic("'\(node.tag ?? "")' needs \(what)", at: node.location)
        }
        return text
    }

    /// A list of texts as it is, a text split at its blanks; empty when it is neither.
    private static func argv(_ node: YAMLNode) -> [String] {
        switch node.value {
        case .scalar(let text, _): return text.split(separator: " ").map(String.init)
        case .mapping: return []
        case .sequence(let elements):
            let words = elements.compactMap { $0.tag == nil ? $0.text : nil }
            return words.count == elements.count ? words : []
        }
    }

    /// The secret, without the newline at the end of a file or of an output.
    ///
    /// - Parameters:
    ///   - directory: where relative paths begin, empty or with its `/` at the end.
    ///   - vault: opens what is encrypted.
    func read(
        relativeTo directory: String, _ vault: VaultPasswords, at location: SourceLocation
    ) async throws(Diagnostic) -> String {
        let text: String
        let source: String
        switch self {
        case .environment(let name):
            source = "the environment variable '\(name)'"
            guard let value = ProcessInfo.processInfo.environment[name] else {
                throw Diagnostic("\(source) is not set", at: location)
            }
            text = value
        case .file(let path):
            source = "the file '\(path)'"
            do {
                text = try TextFile.read(path.hasPrefix("/") ? path : directory + path)
            } catch {
                throw Diagnostic(error.message, at: location)
            }
        case .command(let argv):
            source = "the command '\(argv[0])'"
            text = try await CommandOutput.of(
                .name(argv[0]), Array(argv.dropFirst()), called: source, at: location)
        case .vault(let encrypted): return try vault.text(of: encrypted, "the value", at: location)
        }
        let secret = text.last?.isNewline == true ? String(text.dropLast()) : text
        guard !secret.isEmpty else { throw Diagnostic("\(source) is empty", at: location) }
        return secret
    }
}

public import Engine
import Secrets

/// Ensures that keys may log in as a user, who may be one that an earlier resource of the same play makes.
///
///     AuthorizedKeys(of: "ann", ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ann@desk"], exclusively: true)
public struct AuthorizedKeys: Resource {
    /// A public key, and what it may be used for.
    public struct Key: Sendable, ExpressibleByStringLiteral {
        let text: String
        let options: [String]

        /// - Parameters:
        ///   - text: as a `.pub` file has it: `ssh-ed25519 AAAA… ann@desk`.
        ///   - options: such as `restrict` and `from="10.0.0.0/8"`, see AUTHORIZED_KEYS FILE FORMAT in sshd(8).
        public init(_ text: String, options: [String] = []) {
            self.text = text
            self.options = options
        }

        public init(stringLiteral value: String) { self.init(value) }

        private var fields: [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

        /// By this one key is told from another, whatever its options and comment are.
        ///
        /// - Throws: ``NoPublicKey``.
        func body() throws -> String {
            let kinds = ["ssh-", "ecdsa-", "sk-"]
            guard let kind = fields.firstIndex(where: { field in kinds.contains(where: field.hasPrefix) }),
                kind + 1 < fields.count
            else { throw NoPublicKey(text: text) }
            return fields[kind + 1]
        }

        var line: String {
            let options = options.isEmpty ? [] : [options.joined(separator: ",")]
            return (options + fields).joined(separator: " ")
        }
    }

    private let user: String
    private let keys: [Key]
    private let isExclusive: Bool

    /// - Parameters:
    ///   - exclusively: whether no other keys may log in. Otherwise the other lines of the file stay.
    public init(of user: String, _ keys: [Key], exclusively: Bool = false) {
        self.user = user
        self.keys = keys
        isExclusive = exclusively
    }

    public var name: String { "authorized keys of \(user)" }

    public var questions: [any Fact] { [file] }

    private var file: AuthorizedKeysFile { AuthorizedKeysFile(of: user) }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let current = try facts[file]
        let path = "\(current?.home ?? "~\(user)")/.ssh/authorized_keys"
        do {
            let old = try SharedText(of: path, found: current?.content ?? .absent, isPublic: true, after: pending)
            let new = try edited(old.lines)
            let isRight =
                pending.contains(.writes(path))
                || isRight(current?.directory, .directory, 0o700) && isRight(current?.file, .file, 0o600)
            if new == old.lines, isRight || (new.isEmpty && old.text == nil) { return [] }
            let text = MaskedText(lines: new)
            var change = Change(
                new == old.lines ? "set owner and mode of \(path)" : "write \(path)",
                old.text == nil ? .create : .change,
                diff: new == old.lines ? nil : UnifiedDiff(from: old.text?.reveal() ?? "", to: text.reveal()),
                script: script(from: old, to: text), effects: [.writes(path)])
            change.texts = [path: text]
            return [change]
        } catch let refusal as Uneditable {
            return [refusal.change]
        }
    }

    private func isRight(
        _ attributes: FileStatus.Attributes?, _ kind: FileStatus.Attributes.Kind, _ mode: FileMode
    ) -> Bool {
        attributes?.kind == kind && attributes?.mode == mode && attributes?.owner == user
    }

    private func edited(_ lines: [MaskedText]) throws -> [MaskedText] {
        if isExclusive { return keys.map { MaskedText($0.line) } }
        let rules = try keys.map { KeyedLines.Rule(subject: try $0.body(), line: $0.line) }
        return KeyedLines(key: .word, rules: rules).edited(lines)
    }

    /// The file is written by the user, not by root: what the user's own directory leads to is in the user's hands, and
    /// through a link root would read and write whatever it points to.
    private func script(from old: SharedText, to new: MaskedText) -> ShellText {
        let write: ShellText = """
            set -e
            umask 077
            mkdir -p -- "$1"
            chmod 0700 "$1"
            cd -- "$1"
            \(old.unchanged(at: "\"$1/authorized_keys\"", as: ""))
            rm -f authorized_keys.drover.??????
            new=$(mktemp authorized_keys.drover.XXXXXX)
            trap 'rm -f "$new"' EXIT
            trap 'exit 143' HUP INT TERM
            base64 -d >"$new"
            sync "$new"
            mv -fT -- "$new" authorized_keys
            trap - EXIT
            sync .
            """
        return """
            entry=$(getent passwd -- \(quoting: user)) || { echo "there is no user" \(quoting: user); exit 1; }
            entry=${entry%:*} home=${entry##*:}
            [ -d "$home" ] || { echo "the home $home of" \(quoting: user) "does not exist"; exit 1; }
            [ ! -e "$home/.ssh" ] || give "$home/.ssh" \(quoting: user + ":") ''
            [ ! -L "$home/.ssh/authorized_keys" ] || { echo "$home/.ssh/authorized_keys is a link"; exit 1; }
            [ ! -e "$home/.ssh/authorized_keys" ] || give "$home/.ssh/authorized_keys" \(quoting: user + ":") ''
            keep "$home/.ssh/authorized_keys"
            cd /
            runuser -u \(quoting: user) -- /bin/sh -c \(quoting: write) sh "$home/.ssh" \(base64: new)
            """
    }
}

/// What stands where a public key belongs.
public struct NoPublicKey: Error, CustomStringConvertible {
    let text: String

    public var description: String {
        "'\(text)' is no public key; write it as the .pub file has it: ssh-ed25519 AAAA… name@place"
    }
}

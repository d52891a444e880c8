public import Diagnostics
public import Secrets

/// The passwords by which texts of ansible-vault are opened.
public struct VaultPasswords: Sendable {
    /// One password.
    public struct Password: Sendable {
        /// Which texts it is for; nil for any.
        public let label: String?
        public let secret: Secret

        public init(label: String? = nil, _ secret: Secret) {
            self.label = label
            self.secret = secret
        }
    }

    public let all: [Password]

    public init(_ all: [Password] = []) {
        self.all = all
    }

    /// Decrypts a text by the first password that opens it; those with its label are tried before the others, as
    /// Ansible does.
    ///
    /// - Parameters:
    ///   - what: what is encrypted, for diagnostics: `the file`.
    ///   - location: where it is.
    /// - Throws: a `Diagnostic` when no password opens it.
    public func open(_ text: VaultText, _ what: String, at location: SourceLocation?) throws(Diagnostic) -> Opened {
        guard !all.isEmpty else {
            throw Diagnostic(
                "\(what) is encrypted by ansible-vault, and there is no password for it", at: location,
                remedy: text.label.map { "give it by '--vault-id \($0)@FILE' or '--vault-id \($0)@prompt'" }
                    ?? "give it by '--vault-password-file FILE' or '--ask-vault-pass'")
        }
        let fitting = all.filter { $0.label != nil && $0.label == text.label }
        for password in fitting + all.filter({ $0.label == nil || $0.label != text.label }) {
            let bytes: [UInt8]?
            do { bytes = try text.decrypted(with: password.secret) } catch {
                throw Diagnostic("\(what) cannot be decrypted: \(error)", at: location)
            }
            if let bytes { return Opened(bytes: bytes, password: password) }
        }
        throw Diagnostic(
            "\(what) is encrypted under another password\(text.label.map { ", which is called '\($0)'" } ?? ""), or damaged",
            at: location, remedy: "check what --vault-password-file, --vault-id or --ask-vault-pass gave")
    }

    /// A text that was decrypted, and by which password.
    public struct Opened: Sendable {
        public let bytes: [UInt8]
        public let password: Password
    }

    /// Decrypts a text as ``open(_:_:at:)``.
    ///
    /// - Throws: a `Diagnostic`, also when it is no UTF-8.
    public func text(of text: VaultText, _ what: String, at location: SourceLocation?) throws(Diagnostic) -> String {
        guard let result = String(validating: try open(text, what, at: location).bytes, as: UTF8.self) else {
            throw Diagnostic("\(what) is no UTF-8 text when it is decrypted", at: location)
        }
        return result
    }
}

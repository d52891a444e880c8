import Crypto
public import Diagnostics
import Engine
import FoundationEssentials

/// A file of this machine that hosts are to have.
public struct LocalFile: Hashable, Sendable {
    public let path: String
    /// In bytes.
    public let size: Int
    /// SHA-256 in hexadecimal.
    public let digest: String

    /// Reads what tells whether a host has it.
    ///
    /// - Throws: `Diagnostic` when it cannot be read, or is empty.
    public init(_ path: String) throws(Diagnostic) {
        guard let content = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe) else {
            throw Diagnostic("the file '\(path)' cannot be read")
        }
        guard !content.isEmpty else { throw Diagnostic("the file '\(path)' is empty") }
        self.path = path
        size = content.count
        digest = SHA256.hash(data: content).hexadecimal
    }
}

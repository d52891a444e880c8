import Diagnostics
import Engine
import FoundationEssentials

/// The public key by which apt knows that a repository is the right one.
public struct AptKey: Hashable, Sendable {
    private static let head = "-----BEGIN PGP PUBLIC KEY BLOCK-----"
    private static let tail = "-----END PGP PUBLIC KEY BLOCK-----"

    /// The lines of the key in its readable form.
    let lines: [String]

    /// - Parameter armored: a key in its readable form, which begins with `-----BEGIN PGP PUBLIC KEY BLOCK-----`.
    /// - Throws: `Diagnostic` when it is something else.
    public init(armored: String) throws {
        let lines = armored.linesOfText.map { String($0.filter { $0 != "\r" && $0 != "\r\n" }) }
        guard let begin = lines.firstIndex(of: Self.head), let end = lines.lastIndex(of: Self.tail), begin < end else {
            throw Diagnostic("this is no public key of OpenPGP", remedy: "give one that begins with '\(Self.head)'")
        }
        self.lines = Array(lines[begin...end])
    }

    /// - Parameter file: a file on this machine, in the readable or in the binary form.
    /// - Throws: `Diagnostic` when there is no such file, or it is no key.
    public init(file: String) throws {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw Diagnostic("the key file '\(file)' cannot be read")
        }
        // Every packet of a binary key begins with the highest bit set.
        if let first = data.first, first & 0x80 != 0 {
            let text = data.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            lines = [Self.head, ""] + text.linesOfText + [Self.tail]
        } else {
            guard let key = try? AptKey(armored: String(decoding: data, as: UTF8.self)) else {
                throw Diagnostic("the key file '\(file)' holds no public key of OpenPGP")
            }
            self = key
        }
    }
}

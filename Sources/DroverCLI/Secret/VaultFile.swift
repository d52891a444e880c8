import Diagnostics
import FoundationEssentials
import SystemPackage
import Vault

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that is, or is to be, encrypted.
struct VaultFile {
    let bytes: [UInt8]
    private let path: String

    /// - Throws: a `Diagnostic` when it cannot be read.
    init(reading path: String) throws(Diagnostic) {
        self.path = path
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly)
            bytes = try file.closeAfter { try file.bytesToEnd() }
        } catch {
            throw Diagnostic("cannot read '\(path)': \((error as? Errno)?.description ?? "\(error)")")
        }
    }

    /// Without its directories.
    var name: String { FilePath(path).lastComponent?.string ?? "file" }

    private var text: String { String(decoding: bytes, as: UTF8.self) }

    var isEncrypted: Bool { VaultText.isIn(text) }

    /// What it says of the password under which it is encrypted.
    var label: String? { (try? VaultText(text, at: nil))?.label }

    /// - Throws: a `Diagnostic` when it is not encrypted, damaged, or under another password.
    func open(_ passwords: VaultPasswords) throws(Diagnostic) -> VaultPasswords.Opened {
        let start = SourceLocation(file: path, line: 1, column: 1)
        guard isEncrypted else {
            throw Diagnostic(
                "the file is not encrypted", at: start, remedy: "encrypt it by 'drover secret encrypt \(path)'")
        }
        return try passwords.open(try VaultText(text, at: start), "the file", at: start)
    }

    /// Encrypts under a password, with its label.
    static func text(of bytes: [UInt8], _ password: VaultPasswords.Password) throws -> VaultText {
        try VaultText(encrypting: bytes, with: password.secret, label: password.label)
    }

    /// Puts something in its place at once: nobody ever finds half of it, or what was not encrypted.
    ///
    /// - Parameter label: what to write down as the password's name; that of the password unless given.
    /// - Throws: a `Diagnostic` when that is not possible; the file is then as it was.
    func write(_ bytes: [UInt8], encryptedWith password: VaultPasswords.Password, label: String? = nil) throws {
        let text = try VaultText(encrypting: bytes, with: password.secret, label: label ?? password.label)
        // What a link leads to is written, not the link.
        let target = FilePath(URL(filePath: path).resolvingSymlinksInPath().path)
        let neighbour = target.removingLastComponent().appending(".drover-\(UInt32.random(in: 0 ... .max))")
        do {
            let status = try Stat(target)
            let file = try FileDescriptor.open(
                neighbour, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
            do {
                try file.closeAfter {
                    try file.writeAll(text.description.utf8)
                    // Only root can give it to another, and then must.
                    if fchown(file.rawValue, status.userID.rawValue, status.groupID.rawValue) != 0, getuid() == 0 {
                        throw Errno(rawValue: errno)
                    }
                    guard fchmod(file.rawValue, status.permissions.rawValue) == 0, fsync(file.rawValue) == 0,
                        rename(neighbour.string, target.string) == 0
                    else { throw Errno(rawValue: errno) }
                }
            } catch {
                unlink(neighbour.string)
                throw error
            }
            let directory = try FileDescriptor.open(target.removingLastComponent(), .readOnly)
            try directory.closeAfter { _ = fsync(directory.rawValue) }
        } catch {
            throw Diagnostic("'\(path)' cannot be written: \((error as? Errno)?.description ?? "\(error)")")
        }
    }
}

extension FileDescriptor {
    /// Everything up to its end.
    func bytesToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try read(into: $0) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}

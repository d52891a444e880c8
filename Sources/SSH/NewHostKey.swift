import FoundationEssentials
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The key of a host that no known hosts file names.
struct NewHostKey {
    let key: HostKey
    let destination: SSHDestination

    /// The line of a known hosts file.
    var line: String { "\(destination.knownHostsName) \(key.type) \(key.base64)" }

    /// Adds it to a known hosts file. The file is locked meanwhile and looked at again, for others may add lines at the
    /// same time; the line is written at once, behind all that is there.
    ///
    /// - Parameter path: the file, as people name it. It is made if need be, for this user's eyes only.
    /// - Throws: ``SSHError`` when it cannot be written, or when it knows the host by another key by now.
    func add(to path: String) throws(SSHError) {
        let name = SSHOptions.expandingHome(path)
        let directory = FilePath(name).removingLastComponent().string
        do {
            if !directory.isEmpty, !FileManager.default.fileExists(atPath: directory) {
                try FileManager.default.createDirectory(
                    atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            let file = try FileDescriptor.open(
                FilePath(name), .readWrite, options: [.create, .append, .closeOnExec], permissions: .ownerReadWrite)
            try file.closeAfter { try add(to: file, called: path) }
        } catch let error as SSHError {
            throw error
        } catch {
            throw SSHError(
                .hostKeyUnknown, "the new key of \(destination.knownHostsName) cannot be added to \(path): \(error)",
                remedy: "name a file that you may write to by --known-hosts")
        }
    }

    private func add(to file: FileDescriptor, called path: String) throws {
        // Given up when the file is closed.
        guard flock(file.rawValue, LOCK_EX) == 0 else { throw Errno(rawValue: errno) }
        let text = String(
            decoding: FileManager.default.contents(atPath: SSHOptions.expandingHome(path)) ?? Data(), as: UTF8.self)
        switch KnownHosts(text, file: path).verdict(on: key, of: destination) {
        case .trusted: return
        case .unknown(others: []): break
        case let verdict:
            if let error = HostKeyFailure.error(for: verdict, on: key, of: destination, file: path) { throw error }
        }
        let start = text.isEmpty || text.utf8.last == UInt8(ascii: "\n") ? "" : "\n"
        try file.writeAll("\(start)\(line)\n".utf8)
        guard fsync(file.rawValue) == 0 || errno == EINVAL else { throw Errno(rawValue: errno) }
    }
}

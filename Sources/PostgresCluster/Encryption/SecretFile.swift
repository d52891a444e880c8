import Diagnostics
import FoundationEssentials
import Secrets
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file of the controller that is about to be written beside the inventory.
struct SecretFile: Sendable {
    let path: String
    let content: Secret
    /// The content that it replaces; nil for a file that must not exist yet.
    var replaced: Secret?

    /// Writes the file, readable by its owner alone: completely, on the disk, or not at all.
    ///
    /// - Parameter sync: flushes a file or a directory to the disk.
    /// - Throws: a `Diagnostic` if the file cannot be written, or if another run has written it meanwhile.
    func write(sync: (FileDescriptor) throws -> Void = SecretFile.flush) throws(Diagnostic) {
        let target = FilePath(path)
        let folder = target.removingLastComponent()
        let draft = folder.appending(".drover-\(UInt32.random(in: 0 ... .max))")
        do {
            try FileManager.default.createDirectory(
                atPath: folder.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let file = try FileDescriptor.open(
                draft, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
            defer { try? FileManager.default.removeItem(atPath: draft.string) }
            // A name that reaches the disk before the content would be an empty file after a loss of power.
            try file.closeAfter {
                _ = try file.writeAll(content.reveal().utf8)
                try sync(file)
            }
            try put(draft)
            // The folder of the cluster and the one above it may be new, too.
            for directory in [folder, folder.removingLastComponent(), folder.appending("../..")] {
                let descriptor = try FileDescriptor.open(directory.isEmpty ? "." : directory, .readOnly)
                try descriptor.closeAfter { try sync(descriptor) }
            }
        } catch {
            throw Diagnostic("cannot write '\(path)': \(error)", remedy: "fix the cause and run the same command again")
        }
    }

    private func put(_ draft: FilePath) throws {
        guard let replaced else {
            // Unlike a rename, a link never takes the place of another file.
            return try FileManager.default.linkItem(atPath: draft.string, toPath: path)
        }
        guard try String(contentsOfFile: path, encoding: .utf8) == replaced.reveal() else {
            throw Diagnostic("another run has changed it")
        }
        guard rename(draft.string, path) == 0 else { throw Errno(rawValue: errno) }
    }

    private static func flush(_ descriptor: FileDescriptor) throws {
        // Some network file systems cannot flush a directory.
        guard fsync(descriptor.rawValue) == 0 || errno == EINVAL else { throw Errno(rawValue: errno) }
    }
}

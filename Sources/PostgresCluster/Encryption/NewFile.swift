import Diagnostics
import FoundationEssentials
import Secrets
import SystemPackage

/// A file of this machine that is made once.
struct NewFile: Sendable {
    let path: String
    let content: Secret

    /// Writes it, readable by nobody else, whole or not at all.
    ///
    /// - Throws: a `Diagnostic` when that is not possible, also when somebody else has made it meanwhile.
    func write() throws(Diagnostic) {
        let target = FilePath(path)
        let folder = target.removingLastComponent()
        let draft = folder.appending(".drover-\(UInt32.random(in: 0 ... .max))")
        do {
            try FileManager.default.createDirectory(
                atPath: folder.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let file = try FileDescriptor.open(
                draft, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
            defer { try? FileManager.default.removeItem(atPath: draft.string) }
            try file.closeAfter { _ = try file.writeAll(content.reveal().utf8) }
            // Unlike a move, it never takes the place of another one.
            try FileManager.default.linkItem(atPath: draft.string, toPath: path)
        } catch {
            throw Diagnostic("'\(path)' cannot be made: \(error)", remedy: "run this again when that is mended")
        }
    }
}

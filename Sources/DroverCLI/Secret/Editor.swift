import Diagnostics
import FoundationEssentials
import Subprocess
import SystemPackage

/// Lets the person change a secret text with the editor of their choice.
enum Editor {
    /// Where nothing is written to a disk, if there is such a place: the first that can be written to.
    private static var places: [String] {
        let environment = ProcessInfo.processInfo.environment
        return [environment["XDG_RUNTIME_DIR"], "/dev/shm"].compactMap(\.self).filter { !$0.isEmpty }
            + [FileManager.default.temporaryDirectory.path()]
    }

    /// Opens the editor on a text, in a directory that only this user can look into and that is gone afterwards.
    ///
    /// - Parameter name: what the editor sees as the file's name: it may know by its ending what it is.
    /// - Returns: what the person has made of it.
    /// - Throws: a `Diagnostic` when the editor fails, `CancellationError` when it was ended.
    static func edit(_ bytes: [UInt8], name: String) async throws -> [UInt8] {
        let directory = try privateDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = "\(directory)/\(name)"
        try FileDescriptor.open(
            FilePath(file), .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite
        ).closeAfterWriting(bytes)
        let environment = ProcessInfo.processInfo.environment
        let editor = ["VISUAL", "EDITOR"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
        var options = PlatformOptions()
        options.teardownSequence = [.gracefulShutDown(allowedDurationToNextStep: .seconds(2))]
        // As git does it: the variable may hold arguments, too.
        let result = try await run(
            .path("/bin/sh"), arguments: ["-c", "exec \(editor) \"$1\"", "sh", file], platformOptions: options,
            input: .fileDescriptor(.standardInput, closeAfterSpawningProcess: false),
            output: .fileDescriptor(.standardOutput, closeAfterSpawningProcess: false),
            error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
        try Task.checkCancellation()
        guard result.terminationStatus.isSuccess else {
            throw Diagnostic(
                "the editor '\(editor)' has failed, and nothing was changed",
                remedy: "set EDITOR to one that is installed, such as nano")
        }
        let changed = try FileDescriptor.open(FilePath(file), .readOnly)
        return try changed.closeAfter { try changed.bytesToEnd() }
    }

    private static func privateDirectory() throws -> String {
        for place in places {
            let path = "\(place.hasSuffix("/") ? String(place.dropLast()) : place)/drover-\(UUID().uuidString)"
            let isMade: Void? = try? FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            if isMade != nil { return path }
        }
        throw Diagnostic("there is no place for the text while it is edited", remedy: "set TMPDIR to one")
    }
}

extension FileDescriptor {
    fileprivate func closeAfterWriting(_ bytes: [UInt8]) throws {
        try closeAfter { _ = try writeAll(bytes) }
    }
}

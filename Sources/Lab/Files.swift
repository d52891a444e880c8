import SystemPackage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files and folders of this machine.
enum Files {
    static func exist(_ path: FilePath) -> Bool {
        FileManager.default.fileExists(atPath: path.string)
    }

    /// Creates a folder and those above it, unless they exist.
    static func createFolder(_ path: FilePath, permissions: Int = 0o755) throws {
        try FileManager.default.createDirectory(
            atPath: path.string, withIntermediateDirectories: true, attributes: [.posixPermissions: permissions])
    }

    /// The names of what is in a folder, or none when there is no such folder.
    static func names(in folder: FilePath) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []
    }

    static func text(of path: FilePath) throws -> String {
        try String(contentsOfFile: path.string, encoding: .utf8)
    }

    /// Replaces a file at once: nobody ever sees half of it.
    static func replace(_ path: FilePath, with text: String) throws {
        try text.write(toFile: path.string, atomically: true, encoding: .utf8)
    }

    /// Writes into a file that exists, such as one by which the kernel takes commands.
    static func command(_ path: FilePath, _ text: String) throws {
        let descriptor = try FileDescriptor.open(path, .writeOnly, options: .closeOnExec)
        _ = try descriptor.closeAfter { try descriptor.writeAll(text.utf8) }
    }

    static func link(_ path: FilePath, to target: FilePath) throws {
        try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: target.string)
    }

    /// That to which a symbolic link points; nil where there is none.
    static func target(of link: FilePath) -> FilePath? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: link.string)).map { FilePath($0) }
    }

    static func move(_ path: FilePath, to target: FilePath) throws {
        try FileManager.default.moveItem(atPath: path.string, toPath: target.string)
    }

    /// Removes a file, or a folder with all that is in it, if it exists.
    static func remove(_ path: FilePath) throws {
        if exist(path) { try FileManager.default.removeItem(atPath: path.string) }
    }

    /// Runs `body` while no other process does so with the same folder.
    static func withLock<Result>(on folder: FilePath, _ body: () async throws -> Result) async throws -> Result {
        try createFolder(folder)
        let descriptor = try FileDescriptor.open(folder, .readOnly, options: [.closeOnExec, .directory])
        let result: Swift.Result<Result, any Error>
        do {
            try Kernel.lock(descriptor)
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        try descriptor.close()
        return try result.get()
    }
}

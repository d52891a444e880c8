import Diagnostics
import FoundationEssentials
import SystemPackage

/// A file that is to become a page.
package struct PageTarget: Sendable {
    private let path: String
    /// What the page is called in messages.
    private let name: String

    package init(_ path: String, of name: String) {
        self.path = path
        self.name = name
    }

    /// Makes sure that the page can be written, before any work is done for it.
    ///
    /// - Throws: `Diagnostic` when the file cannot be written.
    package func check() throws {
        do {
            try FilePath(path).checkWritable()
        } catch let error as Errno {
            throw Diagnostic(
                "the \(name) cannot be written to '\(path)': \(error)",
                remedy: "name a file in a folder that you may write to")
        }
    }

    /// Writes the page. A reader of the file sees the old page or the new one, never a part of one.
    ///
    /// - Throws: `Diagnostic` when the file cannot be written.
    package func write(_ page: HTML) throws {
        do {
            try Data(page.description.utf8).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw Diagnostic("the \(name) could not be written to '\(path)': \(error)")
        }
    }
}

extension FilePath {
    /// Makes sure that a file can take this place, and leaves everything as it was.
    ///
    /// - Throws: `Errno`.
    fileprivate func checkWritable() throws {
        var isDirectory = false
        let exists = FileManager.default.fileExists(atPath: string, isDirectory: &isDirectory)
        if exists, isDirectory { throw Errno.isDirectory }
        let neighbour = removingLastComponent().appending(".drover-\(UInt32.random(in: 0 ... .max))")
        try FileDescriptor.open(
            neighbour, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite
        ).close()
        try FileManager.default.removeItem(atPath: neighbour.string)
    }
}

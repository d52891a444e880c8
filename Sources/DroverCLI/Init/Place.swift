import FoundationEssentials
import SystemPackage

/// A folder as a person named it.
struct Place {
    /// Absolute, without `.` and `..`.
    let path: String

    init(_ path: String) {
        let here = FilePath(FileManager.default.currentDirectoryPath)
        self.path = here.pushing(FilePath(path)).lexicallyNormalized().string
    }

    /// The last part of the path; empty for the root.
    var name: String { FilePath(path).lastComponent?.string ?? "" }
}

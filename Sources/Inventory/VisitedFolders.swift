import Diagnostics

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The folders that were read, so that a link which leads to one of them again is found: it may lead round in a circle, or
/// double what is read with every level.
struct VisitedFolders {
    /// By their paths without links, how they were called.
    private var names: [String: String] = [:]

    /// - Throws: a `Diagnostic` when the folder was entered before under another name.
    mutating func enter(_ path: String) throws(Diagnostic) {
        guard let real = realpath(path, nil) else { return }
        defer { free(real) }
        guard let other = names.updateValue(path, forKey: String(cString: real)) else { return }
        throw Diagnostic("'\(path)' is the folder '\(other)' again", remedy: "remove the link that leads back there")
    }
}

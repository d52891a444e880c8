import Diagnostics
import FoundationEssentials
import SystemPackage
import YAML

/// What one `-i` stands for.
///
/// Source: ansible-core 2.19, `parse_source` in inventory/manager.py.
struct InventorySource {
    /// One file below it.
    enum Part {
        case text(path: String)
        case program(path: String)
        /// Names with commas between them.
        case names(String)
    }

    /// Where its `group_vars` and `host_vars` are: empty, or with a `/` at the end; nil when there is no such place.
    let directory: String?
    let parts: [Part]

    /// Endings of files in a directory that are no inventories.
    private static let ignoredEndings = [
        ".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".cfg", ".retry",
    ]
    private static let ignoredNames: Set = ["host_vars", "group_vars", "vars_plugins"]
    /// Bounds the recursion.
    private static let greatestDepth = 20

    /// Looks at what is there.
    ///
    /// - Throws: `Diagnostics` with every file that cannot be an inventory.
    init(_ path: String) throws(Diagnostics) {
        let files = FileManager.default
        if path.contains(","), !files.fileExists(atPath: path) {
            directory = nil
            parts = [.names(path)]
            return
        }
        let isDirectory = (try? files.contentsOfDirectory(atPath: path)) != nil
        directory =
            isDirectory
            ? (path.hasSuffix("/") ? path : path + "/") : path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var diagnostics = Diagnostics()
        var visited = VisitedFolders()
        parts = InventorySource.parts(of: path, depth: 0, &visited, &diagnostics)
        try diagnostics.throwIfAny()
    }

    private static func parts(
        of path: String, depth: Int, _ visited: inout VisitedFolders, _ diagnostics: inout Diagnostics
    ) -> [Part] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            do {
                return [try isProgram(path) ? .program(path: path) : .text(path: path)]
            } catch {
                diagnostics.report(error)
                return []
            }
        }
        guard depth < greatestDepth else {
            diagnostics.report("'\(path)' is more than \(greatestDepth) directories deep")
            return []
        }
        do {
            try visited.enter(path)
        } catch {
            diagnostics.report(error)
            return []
        }
        let wanted = names.filter { name in
            !name.hasPrefix(".") && !ignoredNames.contains(name) && !ignoredEndings.contains(where: name.hasSuffix)
        }
        let directory = path.hasSuffix("/") ? path : path + "/"
        // Python compares the code points, so the bytes decide.
        return wanted.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .flatMap { parts(of: directory + $0, depth: depth + 1, &visited, &diagnostics) }
    }

    /// Whether a file is run for its hosts. On some file systems every file is executable, so its beginning decides too.
    private static func isProgram(_ path: String) throws(Diagnostic) -> Bool {
        if InventoryForm(ending: path) != nil { return false }
        let start: [UInt8]
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly)
            start = try file.closeAfter {
                var buffer = [UInt8](repeating: 0, count: 4)
                let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
                return Array(buffer[..<count])
            }
        } catch {
            throw Diagnostic("cannot read '\(path)': \((error as? Errno)?.description ?? "\(error)")")
        }
        guard start.starts(with: "#!".utf8) || start.starts(with: "\u{7F}ELF".utf8) else { return false }
        guard FileManager.default.isExecutableFile(atPath: path) else {
            throw Diagnostic(
                "the inventory '\(path)' is a program that may not be run", remedy: "make it executable by 'chmod +x'")
        }
        return true
    }
}

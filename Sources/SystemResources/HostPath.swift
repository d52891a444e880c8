import Diagnostics

/// What is asked of every path on a host.
enum HostPath {
    /// - Throws: `Diagnostic` for a path that is not absolute, ends with a slash or has a line break.
    static func check(_ path: String, of resource: String) throws {
        guard path.hasPrefix("/") else {
            throw Diagnostic("\(resource): the path '\(path)' is not absolute", remedy: "begin it with '/'")
        }
        guard !path.hasSuffix("/") else {
            throw Diagnostic("\(resource): the path '\(path)' ends with a slash", remedy: "leave that out")
        }
        try checkLine(path, of: resource)
    }

    /// - Throws: `Diagnostic` for a text that is more than one line.
    static func checkLine(_ text: String, of resource: String) throws {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == 0 }) else {
            throw Diagnostic("\(resource): \(text.debugDescription) has a line break", remedy: "write one line")
        }
    }

    /// The directory that holds what stands at `path`.
    static func parent(of path: String) -> String {
        "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    }
}

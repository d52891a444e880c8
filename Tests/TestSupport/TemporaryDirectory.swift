import FoundationEssentials

/// Files of one test, which are gone after it.
public final class TemporaryDirectory: Sendable {
    public let path: String

    /// - Parameter files: the texts of the files, by their paths below the directory.
    public init(_ files: [String: String] = [:]) throws {
        let base = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        path = base + (base.hasSuffix("/") ? "" : "/") + "drover-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files {
            let file = "\(path)/\(name)"
            let directory = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: file))
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The text without the path of this directory.
    public func shortened(_ text: String) -> String {
        text.split(separator: "\(path)/", omittingEmptySubsequences: false).joined()
    }

    /// The text of a file below the directory.
    public func text(of name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
    }

    /// The names of what is directly in the directory, sorted.
    public var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

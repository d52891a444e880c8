import FoundationEssentials

/// Files of one test, which are gone after it.
final class TemporaryDirectory {
    let path: String

    init(_ files: [String: String]) throws {
        let base = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        path = base + (base.hasSuffix("/") ? "" : "/") + "drover-\(UUID().uuidString)"
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
    func shortened(_ text: String) -> String {
        text.split(separator: "\(path)/", omittingEmptySubsequences: false).joined()
    }
}

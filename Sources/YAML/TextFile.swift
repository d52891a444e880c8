public import Diagnostics
import SystemPackage

/// Files that people write.
public enum TextFile {
    /// The whole file.
    ///
    /// - Throws: a `Diagnostic` without a place, when the file cannot be read or is not UTF-8.
    public static func read(_ path: String) throws(Diagnostic) -> String {
        let bytes: [UInt8]
        do {
            let file = try FileDescriptor.open(FilePath(path), .readOnly)
            bytes = try file.closeAfter { try readToEnd(file) }
        } catch {
            throw Diagnostic("cannot read '\(path)': \((error as? Errno)?.description ?? "\(error)")")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Diagnostic("'\(path)' is not UTF-8 text")
        }
        return text
    }

    private static func readToEnd(_ file: FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try buffer.withUnsafeMutableBytes { try file.read(into: $0) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}

public import Diagnostics

/// Reads YAML 1.2, strictly: no duplicate keys, no merge keys, one document.
public enum YAML {
    /// Parses a text.
    ///
    /// - Parameter file: the name that the locations of its nodes carry.
    /// - Returns: the root, or nil when the text holds no value at all.
    /// - Throws: `Diagnostics` with the first syntax error, or with all duplicate keys and the like.
    public static func parse(_ text: String, file: String) throws(Diagnostics) -> YAMLNode? {
        var composer = Composer(EventParser(text, file: file))
        return try composer.compose()
    }

    /// Parses a file.
    ///
    /// - Parameter path: the file, as its diagnostics name it.
    /// - Throws: `Diagnostics` as ``parse(_:file:)``, or that the file cannot be read.
    public static func read(file path: String) throws(Diagnostics) -> YAMLNode? {
        let text: String
        do {
            text = try TextFile.read(path)
        } catch {
            throw Diagnostics([error])
        }
        return try parse(text, file: path)
    }
}

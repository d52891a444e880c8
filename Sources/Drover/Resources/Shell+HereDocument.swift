extension Shell {
    /// A word that ends a here-document with this text: `word`, or something longer when a line of the text is that.
    public static func hereDocumentEnd(_ word: String, after text: String) -> String {
        let lines = Set(text.utf8.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) })
        var word = word
        while lines.contains(word) { word += "_" }
        return word
    }
}

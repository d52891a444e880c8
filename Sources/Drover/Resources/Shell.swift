/// Writing shell text.
public enum Shell {
    /// `word` as one word of a shell command, whatever characters it has.
    public static func quote(_ word: String) -> String {
        let harmless = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-:@%+,".utf8.contains(byte)
            }
        }
        if harmless, !word.isEmpty { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }

    /// The words of a command, each quoted.
    public static func words(_ words: some Sequence<String>) -> String {
        words.map(quote).joined(separator: " ")
    }
}

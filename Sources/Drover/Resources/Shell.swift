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
        // By bytes: a quote with an accent upon it is another character, but still a quote to the shell.
        let parts = word.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#) + "'"
    }

    /// Shell text that defines `say LINE…`: what a step has found out for the person, who reads it also when the step ends
    /// well.
    public static let say = "say() { printf '\(StepProgress.word)%s\\n' \"$@\"; }"

    /// The words of a command, each quoted.
    public static func words(_ words: some Sequence<String>) -> String {
        words.map(quote).joined(separator: " ")
    }
}

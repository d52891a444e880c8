public import Engine

/// The swap files and partitions that are in use, with their sizes in KiB. The shell itself reads; no program is started.
public struct SwapSpaces: Fact {
    public init() {}

    public static func script(for questions: [SwapSpaces]) -> ShellText {
        """
        while read -r path _ size _; do
            case $path in Filename) ;; *) printf '%s %s\\n' "$size" "$path" ;; esac
        done </proc/swaps
        """
    }

    public static func answers(to questions: [SwapSpaces], from output: String) throws -> [SwapSpaces: [String: Int]] {
        var sizes: [String: Int] = [:]
        for line in output.linesOfText {
            let fields = line.split(separator: " ", maxSplits: 1)
            guard fields.count == 2, let size = Int(fields[0]) else { throw UnreadableAnswer(SwapSpaces.self, line) }
            sizes[String(fields[1])] = size
        }
        return [SwapSpaces(): sizes]
    }
}

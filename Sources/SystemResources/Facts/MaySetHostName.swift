public import Engine

/// Whether who asks may set the host's name: in a container that was not given the right to, root neither.
public struct MaySetHostName: Fact {
    public init() {}

    /// The shell itself reads; no program is started.
    public static func script(for questions: [MaySetHostName]) -> ShellText {
        """
        while read -r name value; do
            case $name in CapEff:) echo "$value" ;; esac
        done </proc/self/status
        """
    }

    /// The right is the capability `CAP_SYS_ADMIN`, number 21, see capabilities(7).
    public static func answers(to questions: [MaySetHostName], from output: String) throws -> [MaySetHostName: Bool] {
        guard let line = output.linesOfText.first, let effective = UInt64(line, radix: 16) else {
            throw UnreadableAnswer(MaySetHostName.self, output)
        }
        return [MaySetHostName(): effective & (1 << 21) != 0]
    }
}

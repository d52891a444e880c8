public import Engine

/// A group of the host itself, as `/etc/group` tells it. The shell reads it; no program is started.
public struct GroupEntry: Fact {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public static func script(for questions: [GroupEntry]) -> ShellText {
        """
        while IFS=: read -r group _ gid _; do
            case \(quoting: " " + questions.map(\.name).joined(separator: " ") + " ") in
            *" $group "*) printf '%s:%s\\n' "$group" "$gid" ;;
            esac
        done </etc/group
        """
    }

    /// The answer is the group's number, or nil when there is no such group.
    public static func answers(to questions: [GroupEntry], from output: String) throws -> [GroupEntry: Int?] {
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, Int?.none) })
        for line in output.linesOfText {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 2, let gid = Int(fields[1]) else { throw UnreadableAnswer(GroupEntry.self, line) }
            answers.updateValue(gid, forKey: GroupEntry(String(fields[0])))
        }
        return answers
    }
}

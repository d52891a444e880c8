public import Engine

/// What dpkg knows of a package.
public struct PackageStatus: Fact {
    /// The state of a package.
    public struct Answer: Hashable, Sendable {
        /// The version that is installed completely, unpacked and configured; nil when the package is not, or only half.
        public var version: String?
        /// Whether apt is to leave the package as it is.
        public var isHeld: Bool
        /// Whether dpkg has anything of it, be it only its configuration.
        public var leavesTraces: Bool

        public init(version: String?, isHeld: Bool = false, leavesTraces: Bool = true) {
            self.version = version
            self.isHeld = isHeld
            self.leavesTraces = leavesTraces
        }

        public static let absent = Answer(version: nil, leavesTraces: false)
    }

    public let package: String

    public init(_ package: String) {
        self.package = package
    }

    public static func script(for questions: [PackageStatus]) -> ShellText {
        let format: ShellText = #"'${Package}|${db:Status-Abbrev}|${Version}\n'"#
        return "dpkg-query --show --showformat=\(format) -- \(words: questions.map(\.package)) 2>/dev/null"
    }

    public static func answers(to questions: [PackageStatus], from output: String) throws -> [PackageStatus: Answer] {
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, Answer.absent) })
        for line in output.linesOfText {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count == 3, fields[1].count == 3 else { throw UnreadableAnswer(PackageStatus.self, line) }
            // What is wanted, then what is: `ii ` is installed, `hi ` and held, `iF ` half configured, `rc ` removed but
            // for its configuration, `un ` only mentioned by others.
            let state = Array(fields[1])
            answers[PackageStatus(String(fields[0]))] = Answer(
                version: state[1] == "i" ? String(fields[2]) : nil, isHeld: state[0] == "h",
                leavesTraces: state[1] != "n")
        }
        return answers
    }
}

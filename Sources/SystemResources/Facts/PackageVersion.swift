public import Drover

/// Which version of a Debian package is installed, completely: unpacked and configured.
public struct PackageVersion: Fact {
    public let package: String

    public init(_ package: String) {
        self.package = package
    }

    public static func script(for questions: [PackageVersion]) -> String {
        let format = #"'${Package}|${db:Status-Abbrev}|${Version}\n'"#
        return "dpkg-query --show --showformat=\(format) -- \(Shell.words(questions.map(\.package))) 2>/dev/null"
    }

    /// The answer is nil when the package is not installed, or only half.
    public static func answers(to questions: [PackageVersion], from output: String) throws -> [PackageVersion: String?]
    {
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, String?.none) })
        for line in output.linesOfText {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false)
            guard fields.count == 3 else { throw UnreadableAnswer(PackageVersion.self, line) }
            // The second letter is the state: `ii ` is installed, `iF ` half configured, `rc ` removed.
            guard fields[1].dropFirst().first == "i" else { continue }
            answers.updateValue(String(fields[2]), forKey: PackageVersion(String(fields[0])))
        }
        return answers
    }
}

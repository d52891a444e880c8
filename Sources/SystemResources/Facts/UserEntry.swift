public import Drover

/// A user of the host, as `getent passwd` tells it.
public struct UserEntry: Fact {
    public struct Entry: Hashable, Sendable {
        public var home: String
        public var shell: String

        public init(home: String, shell: String) {
            self.home = home
            self.shell = shell
        }
    }

    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public static func script(for questions: [UserEntry]) -> String {
        "getent passwd -- \(Shell.words(questions.map(\.name)))"
    }

    /// The answer is nil when there is no such user.
    public static func answers(to questions: [UserEntry], from output: String) throws -> [UserEntry: Entry?] {
        var answers = Dictionary(uniqueKeysWithValues: questions.map { ($0, Entry?.none) })
        for line in output.linesOfText {
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count == 7 else { throw UnreadableAnswer(UserEntry.self, line) }
            answers.updateValue(
                Entry(home: String(fields[5]), shell: String(fields[6])), forKey: UserEntry(String(fields[0])))
        }
        return answers
    }
}

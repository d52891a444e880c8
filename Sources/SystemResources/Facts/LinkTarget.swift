public import Drover

/// Where a symbolic link leads to.
public struct LinkTarget: Fact {
    public let path: String

    public init(_ path: String) {
        self.path = path
    }

    public static func script(for questions: [LinkTarget]) -> String {
        """
        for path in \(Shell.words(questions.map(\.path))); do
            [ -L "$path" ] && readlink -n -- "$path"; printf '\\0'
        done
        """
    }

    /// The answer is nil where no link stands.
    public static func answers(to questions: [LinkTarget], from output: String) throws -> [LinkTarget: String?] {
        let targets = output.split(separator: "\0", omittingEmptySubsequences: false).dropLast()
        guard targets.count == questions.count else { throw UnreadableAnswer(LinkTarget.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, targets.map { $0.isEmpty ? nil : String($0) }))
    }
}

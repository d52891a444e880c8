public import Engine

/// What a member remembers of a recovery: how far the one is that is under way, and what the last one was.
///
/// It stands in a file, one line a matter: `reached time 2026-11-22 15:04:05.000000+00`.
public struct RecoveryMarker: Fact {
    /// The recovery under way and the last finished one, each as keys and values.
    public struct Answer: Hashable, Sendable {
        /// Nil when no recovery is under way.
        public var current: [String: String]?
        /// Of the last one that came to its end.
        public var finished: [String: String]?

        public init(current: [String: String]? = nil, finished: [String: String]? = nil) {
            self.current = current
            self.finished = finished
        }

        subscript(key: String) -> String? { current?[key] }
    }

    public let cluster: String

    public init(_ cluster: String) {
        self.cluster = cluster
    }

    static let folder = "/var/lib/drover/recovery"

    var path: String { "\(Self.folder)/\(cluster)" }

    public static func script(for questions: [RecoveryMarker]) -> ShellText {
        questions.map { question -> ShellText in
            let path = ShellText.quoting(question.path)
            return """
                echo question
                [ ! -r \(path) ] || sed 's/^/current /' \(path)
                [ ! -r \(path).done ] || sed 's/^/finished /' \(path).done
                """
        }.joined(separator: "\n")
    }

    public static func answers(
        to questions: [RecoveryMarker], from output: String
    ) throws -> [RecoveryMarker: Answer] {
        var answers: [Answer] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append(Answer())
                continue
            }
            let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            guard let last = answers.indices.last, words.count > 1 else {
                throw UnreadableAnswer(RecoveryMarker.self, line)
            }
            let value = words.count > 2 ? words[2] : ""
            switch words[0] {
            case "current": answers[last].current = (answers[last].current ?? [:]).merging([words[1]: value]) { $1 }
            case "finished": answers[last].finished = (answers[last].finished ?? [:]).merging([words[1]: value]) { $1 }
            default: throw UnreadableAnswer(RecoveryMarker.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(RecoveryMarker.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    /// Shell text that defines `mark KEY VALUE` and `unmark KEY`. The file is whole at every moment, and on the disk.
    var definition: ShellText {
        """
        marker=\(quoting: path)
        put() { sync -- "$marker.new"; mv -T -- "$marker.new" "$marker"; sync -- \(quoting: Self.folder); }
        unmark() {
            mkdir -p \(quoting: Self.folder)
            { grep -v "^$1 " "$marker" 2>/dev/null || :; } >"$marker.new"
            put
        }
        mark() {
            mkdir -p \(quoting: Self.folder)
            { grep -v "^$1 " "$marker" 2>/dev/null || :; printf '%s %s\\n' "$1" "$2"; } >"$marker.new"
            put
        }
        """
    }
}

import Engine
import Secrets

/// What a repository in directories has of a stanza: the folders of its archive and its backups, and those that
/// ``StanzaAside`` has made of such folders before.
struct StanzaFolders: Fact {
    struct Answer: Hashable, Sendable {
        /// Of the stanza itself.
        var parts: Set<Part> = []
        /// From the oldest to the newest.
        var aside: [Aside] = []

        /// What a run that died has begun to set aside, and not ended.
        var begun: Aside? { parts.isEmpty ? nil : aside.last { $0.parts.isDisjoint(with: parts) && !$0.isWhole } }
    }

    /// In the order in which they are renamed.
    enum Part: String, CaseIterable, Sendable {
        case archive, backup
    }

    struct Aside: Hashable, Sendable {
        /// By which the repository knows it: `demo.removed-20261122T150405Z`.
        var name: String
        var parts: Set<Part> = []
        /// The identifier of the database system whose backups they are; nil when pgBackRest cannot tell.
        var system: String?

        var isWhole: Bool { parts.count == Part.allCases.count }
    }

    /// The repository.
    let path: String
    let stanza: String
    /// Whose the repository is.
    let user: String

    static func script(for questions: [StanzaFolders]) -> ShellText {
        questions.map { question -> ShellText in
            let stanza = ShellText.quoting(question.stanza)
            let info = ShellText.words(["runuser", "-u", question.user, "--", "timeout", "20", "pgbackrest"])
            return """
                echo question
                cd \(quoting: question.path) 2>/dev/null && for part in archive backup; do
                    [ ! -d $part/\(stanza) ] || echo "part $part"
                    for folder in $part/\(stanza).\(LinkedDirectories.suffix); do
                        [ ! -d "$folder" ] || echo "aside $part ${folder#*/}"
                    done
                done
                cd /
                for folder in \(quoting: question.path)/backup/\(stanza).\(LinkedDirectories.suffix); do
                    [ -d "$folder" ] || continue
                    system=$(\(info) --stanza="${folder##*/}" --output=json info 2>/dev/null | grep -o '"system-id":[0-9]*' | tail -n 1)
                    [ -z "$system" ] || echo "system ${folder##*/} ${system#*:}"
                done
                """
        }.joined(separator: "\n")
    }

    static func answers(to questions: [StanzaFolders], from output: String) throws -> [StanzaFolders: Answer] {
        var answers: [Answer] = []
        for line in output.linesOfText {
            let words = line.split(separator: " ").map(String.init)
            if words == ["question"] {
                answers.append(Answer())
                continue
            }
            guard let last = answers.indices.last, words.count > 1 else {
                throw UnreadableAnswer(StanzaFolders.self, line)
            }
            let name = words[words.count == 3 && words[0] == "aside" ? 2 : 1]
            let index = answers[last].aside.firstIndex { $0.name == name }
            switch (words[0], words.count, Part(rawValue: words[1])) {
            case ("part", 2, let part?): answers[last].parts.insert(part)
            case ("aside", 3, let part?):
                if let index {
                    answers[last].aside[index].parts.insert(part)
                } else {
                    answers[last].aside.append(Aside(name: name, parts: [part]))
                }
            case ("system", 3, _):
                guard let index else { throw UnreadableAnswer(StanzaFolders.self, line) }
                answers[last].aside[index].system = words[2]
            default: throw UnreadableAnswer(StanzaFolders.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(StanzaFolders.self, output) }
        for index in answers.indices { answers[index].aside.sort { $0.name < $1.name } }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}

extension StanzaFolders {
    /// Nil without backups, and for those in a store: nothing can be renamed there.
    init?(of configuration: ClusterConfiguration) {
        guard let backups = configuration.backups, backups.storage == .posix else { return nil }
        self.init(path: backups.path, stanza: backups.stanza, user: backups.user)
    }
}

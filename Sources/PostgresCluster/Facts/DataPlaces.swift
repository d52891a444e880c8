import Engine

/// Where a data directory keeps its data: itself, the directory of its log and those of its tablespaces; and what
/// ``SetAside`` has made of such places before.
struct DataPlaces: Fact {
    struct Answer: Hashable, Sendable {
        /// What is there now, the data directory last: its links tell of the others.
        var places: [Place] = []
        /// What was set aside, in this order too.
        var setAside: [String] = []
        /// What the links lead to, but cannot be the data of this server: it is neither renamed nor deleted.
        var unfit: [Unfit] = []
    }

    struct Unfit: Hashable, Sendable {
        let path: String
        let reason: String
    }

    /// A directory, or the link that leads to one.
    struct Place: Hashable, Sendable {
        var path: String
        /// Whether another file system is mounted there, so that it cannot be renamed.
        var isMountPoint = false
        var isLink = false
        /// Whether ``SetAside`` made it.
        var isSetAside = false
    }

    let path: String
    /// The owner of the data.
    let user: String

    init(path: String, user: String = "postgres") {
        self.path = path
        self.user = user
    }

    /// The places that only the links of what was set aside tell of are no matter: somebody else may use them by now.
    static func script(for questions: [DataPlaces]) -> ShellText {
        """
        \(LinkedDirectories.functions)
        all_linked() {
            for base; do
                [ ! -L "$base" ] || readlink -m -- "$base"
                linked "$base"
            done | sort -u
        }
        checked() {
            [ -e "$1" ] || return 0
            contents=
            [ "$1" != "$(readlink -m -- "$data")" ] || contents=any
            reason=$(unfit "$1" "$user" $contents)
            [ -n "$reason" ] || { found "$1"; return; }
            printf 'unfit %s\\nreason %s\\n' "$1" "$reason"
        }
        found() {
            [ ! -L "$1" ] || { printf 'link %s\\n' "$1"; return; }
            [ -n "$(ls -A -- "$1" 2>/dev/null)" ] || return 0
            mountpoint -q -- "$1" || { printf 'place %s\\n' "$1"; return; }
            for entry in "$1"/* "$1"/.[!.]*; do
                case ${entry##*/} in
                \(LinkedDirectories.suffix) | lost+found | '*' | '.[!.]*') ;;
                *) printf 'mount %s\\n' "$1"; return ;;
                esac
            done
        }
        aside() {
            for entry in "$1".\(LinkedDirectories.suffix) "$1"/\(LinkedDirectories.suffix); do
                [ -n "$(unfit "$entry" "$user" any)" ] || printf 'aside %s\\n' "$entry"
            done
        }

        """
            + questions.map { question -> ShellText in
                """
                echo question
                data=\(quoting: question.path) user=\(quoting: question.user)
                all_linked "$data" | while IFS= read -r base; do checked "$base"; done
                found "$data"
                all_linked "$data" "$data".\(LinkedDirectories.suffix) | while IFS= read -r base; do aside "$base"; done
                aside "$data"
                """
            }.joined(separator: "\n")
    }

    static func answers(to questions: [DataPlaces], from output: String) throws -> [DataPlaces: Answer] {
        var answers: [Answer] = []
        var unfit: String?
        for line in output.linesOfText {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch (words.first, words.count) {
            case ("question", 1): answers.append(Answer())
            case ("place", 2) where !answers.isEmpty: answers[answers.count - 1].places.append(Place(path: words[1]))
            case ("mount", 2) where !answers.isEmpty:
                answers[answers.count - 1].places.append(Place(path: words[1], isMountPoint: true))
            case ("link", 2) where !answers.isEmpty:
                answers[answers.count - 1].places.append(Place(path: words[1], isLink: true))
            case ("unfit", 2) where !answers.isEmpty: unfit = words[1]
            case ("reason", 2) where !answers.isEmpty && unfit != nil:
                answers[answers.count - 1].unfit.append(Unfit(path: unfit ?? "", reason: words[1]))
            case ("aside", 2) where !answers.isEmpty: answers[answers.count - 1].setAside.append(words[1])
            default: throw UnreadableAnswer(DataPlaces.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(DataPlaces.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}

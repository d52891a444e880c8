import Drover

/// Where a data directory keeps its data: itself, the directory of its log and those of its tablespaces; and what
/// ``SetAside`` has made of such places before.
struct DataPlaces: Fact {
    struct Answer: Hashable, Sendable {
        /// What is there now, the data directory last: its links tell of the others.
        var places: [Place] = []
        /// What was set aside, in this order too.
        var setAside: [String] = []
    }

    /// A directory, or the link that leads to one.
    struct Place: Hashable, Sendable {
        var path: String
        /// Whether another file system is mounted there, so that it cannot be renamed.
        var isMountPoint = false
        var isLink = false
    }

    let path: String

    /// What is set aside is called so: the name from before, and this. In a mount point it is a directory of this name.
    static let suffix = "removed-[0-9]*T[0-9]*Z"

    /// The places that only the links of what was set aside tell of are no matter: somebody else may use them by now.
    static func script(for questions: [DataPlaces]) -> String {
        """
        linked() {
            for base; do
                [ ! -L "$base" ] || readlink -m -- "$base"
                for link in "$base"/pg_wal "$base"/pg_tblspc/*; do [ ! -L "$link" ] || readlink -m -- "$link"; done
            done | sort -u
        }
        found() {
            [ ! -L "$1" ] || { printf 'link %s\\n' "$1"; return; }
            [ -n "$(ls -A -- "$1" 2>/dev/null)" ] || return 0
            mountpoint -q -- "$1" || { printf 'place %s\\n' "$1"; return; }
            for entry in "$1"/* "$1"/.[!.]*; do
                case ${entry##*/} in \(suffix) | lost+found | '*' | '.[!.]*') ;; *) printf 'mount %s\\n' "$1"; return ;; esac
            done
        }
        aside() {
            for entry in "$1".\(suffix) "$1"/\(suffix); do [ ! -e "$entry" ] || printf 'aside %s\\n' "$entry"; done
        }

        """
            + questions.map { question in
                """
                echo question
                data=\(Shell.quote(question.path))
                linked "$data" | while IFS= read -r base; do found "$base"; done
                found "$data"
                linked "$data" "$data".\(suffix) | while IFS= read -r base; do aside "$base"; done
                aside "$data"
                """
            }.joined(separator: "\n")
    }

    static func answers(to questions: [DataPlaces], from output: String) throws -> [DataPlaces: Answer] {
        var answers: [Answer] = []
        for line in output.linesOfText {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch (words.first, words.count) {
            case ("question", 1): answers.append(Answer())
            case ("place", 2) where !answers.isEmpty: answers[answers.count - 1].places.append(Place(path: words[1]))
            case ("mount", 2) where !answers.isEmpty:
                answers[answers.count - 1].places.append(Place(path: words[1], isMountPoint: true))
            case ("link", 2) where !answers.isEmpty:
                answers[answers.count - 1].places.append(Place(path: words[1], isLink: true))
            case ("aside", 2) where !answers.isEmpty: answers[answers.count - 1].setAside.append(words[1])
            default: throw UnreadableAnswer(DataPlaces.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(DataPlaces.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}

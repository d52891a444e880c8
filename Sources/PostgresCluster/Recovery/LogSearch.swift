import Engine

/// Where in the log a restore point or the end of a transaction stands: nobody else knows. From the newest segment to the
/// oldest, of those that the member has itself and those in the archive.
struct LogSearch: Fact {
    enum Wanted: Hashable, Sendable {
        case name(String)
        case transaction(UInt64)
    }

    struct Hit: Hashable, Sendable {
        var timeline: Int
        var position: LogPosition
        /// When a transaction ended; a restore point does not tell.
        var time: Moment?
        var isAborted = false
    }

    /// Up to where a timeline is looked through: the place in the name of its last segment, 16 digits.
    struct Stretch: Hashable, Sendable {
        var timeline: Int
        var end: String
    }

    let wanted: Wanted
    let stanza: String
    let dataDirectory: String
    let binaryDirectory: String
    /// After a hit in one of these no further segment is looked into.
    let stretches: [Stretch]

    static func script(for questions: [LogSearch]) -> ShellText {
        questions.map(\.script).joined(separator: "\n")
    }

    private var script: ShellText {
        let ask: ShellText = "runuser -u postgres -- pgbackrest \(quoting: "--stanza=\(stanza)")"
        let dump: ShellText = "TZ=UTC runuser -u postgres -- \(quoting: binaryDirectory)/pg_waldump"
        let find: ShellText
        switch wanted {
        case .name(let name):
            find = """
                \(dump) -r XLOG "$file" 2>/dev/null | while IFS= read -r line; do
                    case $line in *\(quoting: "desc: RESTORE_POINT \(name)")) printf '%s\\n' "$line" ;; esac
                done
                """
        case .transaction(let number):
            find = #"\#(dump) -r Transaction -x \#(number) "$file" 2>/dev/null | grep -E 'desc: (COMMIT|ABORT) '"#
        }
        let ends = stretches.map { "\(quoting: $0.timelineDigits)) end=\(quoting: $0.end) ;;" as ShellText }.joined(
            separator: " ")
        return """
            echo question
            (
            scratch=$(runuser -u postgres -- mktemp -d /tmp/drover-log.XXXXXX)
            trap 'runuser -u postgres -- rm -rf -- "$scratch"' EXIT
            trap 'exit 143' HUP INT TERM
            {
                for file in \(quoting: dataDirectory)/pg_wal/*; do echo "${file##*/}"; done
                \(ask) repo-ls --recurse \(quoting: "archive/\(stanza)") 2>/dev/null | sed 's|^.*/||; s|-.*||'
            } | sed -n 's|^\\([0-9A-F]\\{8\\}\\)\\([0-9A-F]\\{16\\}\\)$|\\2 \\1|p' | sort -ru | while read -r place timeline; do
                name=$timeline$place
                file=\(quoting: dataDirectory)/pg_wal/$name
                if [ ! -e "$file" ]; then
                    file=$scratch/$name
                    \(ask) archive-get "$name" "$file" </dev/null >/dev/null 2>&1 || continue
                fi
                found=$(\(find))
                case $file in "$scratch"/*) runuser -u postgres -- rm -f -- "$file" ;; esac
                [ -n "$found" ] || continue
                printf '%s\\n' "$found" | sed "s/^/$timeline /"
                end=
                case $timeline in \(ends) esac
                if [ -n "$end" ] && [ ! "$place" \\> "$end" ]; then break; fi
            done
            )
            """
    }

    static func answers(to questions: [LogSearch], from output: String) throws -> [LogSearch: [Hit]] {
        var answers: [[Hit]] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append([])
                continue
            }
            let form =
                /([0-9A-F]{8}) .* lsn: ([0-9A-F]+\/[0-9A-F]+), .*desc: (\w+)(?: (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?) UTC)?.*/
            guard let last = answers.indices.last, let parts = line.wholeMatch(of: form)?.output,
                let timeline = Int(parts.1, radix: 16), let position = LogPosition(parts.2)
            else { throw UnreadableAnswer(LogSearch.self, line) }
            answers[last].append(
                Hit(
                    timeline: timeline, position: position, time: parts.4.flatMap { try? Moment("\($0)Z") },
                    isAborted: parts.3 == "ABORT"))
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(LogSearch.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}

extension LogSearch.Stretch {
    /// As names of segments begin.
    fileprivate var timelineDigits: String {
        let digits = String(timeline, radix: 16, uppercase: true)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

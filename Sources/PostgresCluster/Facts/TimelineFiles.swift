import Engine

/// The timelines of which a member has WAL or a history file, in its data directory and in those that were retired.
struct TimelineFiles: Fact {
    /// What one directory has of one timeline.
    struct Trace: Hashable, Sendable {
        /// The directory of the WAL: `/var/lib/postgresql/15/main/pg_wal`.
        var directory: String
        var timeline: Int
        /// Seconds since 1970: when the history file was written, which is when the timeline was begun.
        var begun: Int?
        /// Seconds since 1970: when the last segment was written.
        var written: Int?
        /// Where the timelines before it were left, as its history file tells.
        var branches: [ArchiveContents.Branch] = []
    }

    /// The data directory.
    let path: String

    static func script(for questions: [TimelineFiles]) -> ShellText {
        questions.map { question -> ShellText in
            """
            echo question
            for directory in \(quoting: question.path)/pg_wal \(quoting: question.path).\(LinkedDirectories.suffix)/pg_wal; do
                [ -d "$directory" ] || continue
                printf 'directory %s\\n' "$directory"
                find "$directory/" -maxdepth 1 -type f -printf '%f %T@\\n' | awk '
                    $1 ~ /^[0-9A-F]+$/ && length($1) == 24 { t = substr($1, 1, 8); if ($2 > last[t]) last[t] = $2 }
                    $1 ~ /^[0-9A-F]+[.]history$/ && length($1) == 16 { print "begun", substr($1, 1, 8), int($2) }
                    END { for (t in last) print "written", t, int(last[t]) }'
                for file in "$directory"/????????.history; do
                    [ ! -f "$file" ] || [ -L "$file" ] || { file_name=${file##*/}; echo "history ${file_name%.history}"; sed -n 's/^[0-9]/branch &/p' "$file"; }
                done
            done
            """
        }.joined(separator: "\n")
    }

    static func answers(to questions: [TimelineFiles], from output: String) throws -> [TimelineFiles: [Trace]] {
        var answers: [[Trace]] = []
        var directory = ""
        var history = 0
        func change(_ timeline: Int, _ body: (inout Trace) -> Void) {
            let last = answers.count - 1
            let index =
                answers[last].firstIndex { $0.directory == directory && $0.timeline == timeline }
                ?? answers[last].endIndex
            if index == answers[last].endIndex {
                answers[last].append(Trace(directory: directory, timeline: timeline))
            }
            body(&answers[last][index])
        }
        for line in output.linesOfText {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let rest = words.count > 1 ? words[1] : ""
            let fields = rest.split(separator: " ")
            let timeline = fields.first.flatMap { Int($0, radix: 16) }
            let seconds = fields.last.flatMap { Int($0) }
            switch (words.first, timeline, seconds) {
            case ("question", _, _): answers.append([])
            case (_, _, _) where answers.isEmpty: throw UnreadableAnswer(TimelineFiles.self, line)
            case ("directory", _, _): directory = rest
            case ("begun", let timeline?, let seconds?): change(timeline) { $0.begun = seconds }
            case ("written", let timeline?, let seconds?): change(timeline) { $0.written = seconds }
            case ("history", let timeline?, _): history = timeline
            case ("branch", _, _):
                if let branch = ArchiveContents.Branch(line: rest) { change(history) { $0.branches.append(branch) } }
            default: throw UnreadableAnswer(TimelineFiles.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(TimelineFiles.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}

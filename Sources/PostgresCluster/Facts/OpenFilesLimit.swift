import Engine

/// How many files a running daemon may open; nil while it does not run.
struct OpenFilesLimit: Fact {
    /// Its name in the process table.
    let program: String
    /// The kernel's lists of the processes of its unit, of which one exists.
    ///
    /// The file in which a daemon writes its process identifier is the daemon's: it could lead root to any other file, or to
    /// a pipe that nobody fills.
    let processLists: [String]

    init(program: String, processLists: [String]) {
        self.program = program
        self.processLists = processLists
    }

    /// The limit of a daemon whose unit bears the name of its program.
    init(unit: String) {
        // Control groups of version 2, of version 1, and of both.
        let roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified"]
        self.init(program: unit, processLists: roots.map { "\($0)/system.slice/\(unit).service/cgroup.procs" })
    }

    /// Shell text that makes `$pid` the daemon's process, or fails.
    var processSearch: ShellText { "\(Self.search)\n\(searching)" }

    private static let search: ShellText = """
        daemon() {
            name=$1
            shift
            for list; do
                while read -r pid; do
                    ! { read -r present <"/proc/$pid/comm" && [ "$present" = "$name" ]; } || return 0
                done <"$list"
            done
            return 1
        }
        """

    private var searching: ShellText { "daemon \(words: [program] + processLists) 2>/dev/null" }

    /// The shell itself reads the files: a converged host starts as few programs as can be.
    static func script(for questions: [OpenFilesLimit]) -> ShellText {
        """
        \(search)
        limit() {
            while read -r _ _ item soft _; do [ "$item" != files ] || echo "files $soft"; done <"/proc/$pid/limits"
        }

        """
            + questions.map { "echo question\n! \($0.searching) || limit 2>/dev/null" as ShellText }.joined(
                separator: "\n")
    }

    static func answers(to questions: [OpenFilesLimit], from output: String) throws -> [OpenFilesLimit: Int?] {
        var answers: [Int?] = []
        for line in output.linesOfText {
            if line == "question" {
                answers.append(nil)
                continue
            }
            let words = line.split(separator: " ")
            guard !answers.isEmpty, words.count == 2, words[0] == "files" else {
                throw UnreadableAnswer(OpenFilesLimit.self, line)
            }
            answers[answers.count - 1] = words[1] == "unlimited" ? .max : Int(words[1])
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(OpenFilesLimit.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }
}

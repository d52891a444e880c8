import SystemPackage

/// Starts a program that goes on after this process ends.
struct Launch {
    /// The program and its arguments.
    var command: [String]
    /// The control group that it and all its children are in.
    var controlGroup: ControlGroup
    /// The file to which its output is appended.
    var log: FilePath

    /// Joins the control group first: once the launcher has ended, the group is populated as long as the program runs.
    var arguments: [String] {
        [
            "-c", #"set -e; echo $$ > "$1"; log=$2; shift 2; exec setsid --fork "$@" < /dev/null >> "$log" 2>&1"#, "sh",
            controlGroup.processes.string, log.string,
        ] + command
    }

    func run() async throws {
        try controlGroup.create()
        try await Program.run(["sh"] + arguments)
    }
}

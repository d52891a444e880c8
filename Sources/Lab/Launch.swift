import SystemPackage

/// Starts a program that goes on after this process ends.
struct Launch {
    /// The program and its arguments.
    var command: [String]
    /// The control group that it and all its children are in, from before it starts.
    var controlGroup: ControlGroup
    /// The file to which its output is appended.
    var log: FilePath

    /// What starts the program and ends.
    var launcher: [String] {
        let script = #"log=$1; shift; exec setsid --fork "$@" < /dev/null >> "$log" 2>&1"#
        return controlGroup.joining(["sh", "-c", script, "sh", log.string] + command)
    }

    func run() async throws {
        try controlGroup.create()
        try await Program.run(launcher)
    }
}

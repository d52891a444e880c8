/// What a script writes, syncs and renames, seen by tracing. A test that only kills cannot see it, for what was written
/// survives in the memory of the kernel.
public struct DiskTrace {
    /// One call of the kernel.
    public struct Call {
        public let name: String
        /// Its paths.
        public let paths: [String]

        public func isSync(of path: String) -> Bool { name.hasSuffix("sync") && paths.first == path }
        public func isWrite(to path: String) -> Bool { name == "write" && paths.first == path }
        public func isRename(to path: String) -> Bool { name.hasPrefix("rename") && paths.last == path }
    }

    public let calls: [Call]

    private struct Failure: Error { let run: ShellRun }

    /// Runs a script in a directory, in which it makes two files of its own.
    public static func of(_ script: String, in directory: TemporaryDirectory) async throws -> DiskTrace {
        let run = try await ShellRun.of(
            """
            cd \(directory.path)
            cat >script <<'END_OF_SCRIPT'
            \(script)
            END_OF_SCRIPT
            strace -f -y -e trace=write,fsync,fdatasync,syncfs,rename,renameat,renameat2 -e signal=none -o trace sh script
            """)
        guard run.status == 0 else { throw Failure(run: run) }
        let lines = try directory.text(of: "trace").split(separator: "\n")
        return DiskTrace(
            calls: lines.compactMap { line in
                guard line.hasSuffix(" = 0") || line.contains("write("),
                    let call = line.firstMatch(of: /^[0-9]+ +([a-z0-9]+)\((.*)/)
                else { return nil }
                let name = String(call.output.1)
                return Call(
                    name: name, paths: name.hasPrefix("rename") ? renamed(call.output.2) : written(call.output.2))
            })
    }

    /// The path of the open file that a call is about.
    private static func written(_ arguments: Substring) -> [String] {
        arguments.prefixMatch(of: /[0-9]+<(\/[^>]*)>/).map { [String($0.output.1)] } ?? []
    }

    /// Both paths of a call that renames; each has its directory before it.
    private static func renamed(_ arguments: Substring) -> [String] {
        arguments.matches(of: /<(\/[^>]*)>, "([^"]*)"/).map { match in
            match.output.2.hasPrefix("/") ? String(match.output.2) : "\(match.output.1)/\(match.output.2)"
        }
    }

    /// What is wrong with the way in which a file gets to its place: its whole content must be on the disk before it does, and
    /// its name after. Nil when that is so each time.
    public func fault(at path: String) -> String? {
        let renames = calls.indices.filter { calls[$0].isRename(to: path) }
        if renames.isEmpty { return "nothing gets to \(path)" }
        let folder = path.split(separator: "/").dropLast().map { "/\($0)" }.joined()
        for rename in renames {
            guard let new = calls[rename].paths.first else { return "\(calls[rename]) renames nothing" }
            let before = calls[..<rename]
            guard let write = before.lastIndex(where: { $0.isWrite(to: new) }) else { return "\(new) has no content" }
            guard before[write...].contains(where: { $0.isSync(of: new) }) else {
                return "\(new) is not on the disk when it becomes \(path)"
            }
            guard calls[rename...].contains(where: { $0.isSync(of: folder) }) else {
                return "the name \(path) is not on the disk"
            }
        }
        return nil
    }
}

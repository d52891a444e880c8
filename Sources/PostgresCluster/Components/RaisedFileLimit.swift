import Engine
import Secrets

/// Ensures that a running daemon may open as many files as its unit lets it when it starts the next time. So its clients need
/// not lose their connections for that.
struct RaisedFileLimit: Resource {
    let limit: OpenFilesLimit
    /// The system user of the daemon, who may raise its soft limit up to the hard one. Beyond that, it takes root and a
    /// capability which containers may lack.
    let user: String
    /// How many.
    let files: Int

    var name: String { "open files of \(limit.program)" }

    var questions: [any Fact] { [limit] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard let present = try facts[limit], present < files else { return [] }
        return [
            Change(
                "let \(limit.program) open \(files) files, not \(present)",
                script: """
                    \(limit.processSearch)
                    runuser -u \(quoting: user) -- prlimit --pid "$pid" --nofile=\(files): 2>/dev/null ||
                        prlimit --pid "$pid" --nofile=\(files):\(files) ||
                        { echo 'this host does not allow root to raise the hard limit: restart' \(quoting: limit.program); exit 1; }
                    """)
        ]
    }
}

import Diagnostics
import Subprocess

/// What a program prints.
enum CommandOutput {
    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - source: what it is called in a diagnostic: `the command 'pass'`.
    ///   - limit: how many bytes it may print.
    /// - Throws: a `Diagnostic` when it cannot be run, fails, or prints more.
    static func of(
        _ executable: Executable, _ arguments: [String], called source: String, at location: SourceLocation?,
        limit: Int = 65_536
    ) async throws(Diagnostic) -> String {
        do {
            let result = try await run(
                executable, arguments: Arguments(arguments), output: .string(limit: limit),
                error: .string(limit: 65_536))
            guard result.terminationStatus.isSuccess else {
                let status =
                    switch result.terminationStatus {
                    case .exited(let code): "exit status \(code)"
                    case .signaled(let signal): "signal \(signal)"
                    }
                let lines = result.standardError.split(whereSeparator: \.isNewline)
                throw Diagnostic(
                    "\(source) failed with \(status)" + (lines.last.map { ": \($0)" } ?? ""), at: location)
            }
            return result.standardOutput
        } catch let diagnostic as Diagnostic {
            throw diagnostic
        } catch {
            throw Diagnostic("\(source) cannot be run: \(error)", at: location)
        }
    }
}

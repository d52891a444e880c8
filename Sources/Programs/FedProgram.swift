public import Subprocess

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Makes writing to a program that has ended an error, and not the end of this one. The programs that this one starts get
/// the signal as ever.
private let ignoreBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

/// Runs another program to its end, with `text` on its standard input; a program that does not read it may do so.
///
/// Subprocess 1.0.2 has an input for a text that is known beforehand, but it aborts *this* program ("FileDescriptor was
/// not closed") when the other one ends before it has read everything: its writer throws before it closes the pipe.
///
/// - Parameters:
///   - environment: this program's own, unless given.
///   - output: what becomes of its standard output, and `error` of its standard error.
/// - Throws: `SubprocessError` when the program cannot be started, or prints more than `output` and `error` take.
public func run<Output: OutputProtocol, ErrorOutput: ErrorOutputProtocol>(
    _ executable: Executable, arguments: Arguments = [], environment: Environment = .inherit, feeding text: String,
    output: Output, error: ErrorOutput
) async throws -> ExecutionResult<Void, Output, ErrorOutput> {
    ignoreBrokenPipes
    return try await Subprocess.run(
        executable, arguments: arguments, environment: environment, input: .inputWriter, output: output, error: error
    ) { execution in
        // It ends when it likes: what it then says, or its status, tells why.
        _ = try? await execution.standardInputWriter.write(text)
        try await execution.standardInputWriter.finish()
    }
}

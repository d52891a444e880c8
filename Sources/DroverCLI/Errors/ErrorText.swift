import Diagnostics
import Engine

/// An error as people read it: in colour, wrapped at words, with the line of the source that it is about.
struct ErrorText {
    let style: Style
    /// The columns of the terminal; nil where there is none, and lines stay as they are.
    let width: Int?

    /// - Parameter program: the name that stands before the first line.
    func lines(_ error: any Error, from program: String) -> [String] {
        switch error {
        case let diagnostic as Diagnostic: named(lines(of: diagnostic, program), program)
        case let diagnostics as Diagnostics: named(diagnostics.sorted.flatMap { lines(of: $0, program) }, program)
        default: lines(Failure.text(of: error), from: program)
        }
    }

    func lines(_ text: String, from program: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return named(lines.flatMap { wrapped(String($0), program) }, program)
    }

    private func named(_ lines: [String], _ program: String) -> [String] {
        guard let first = lines.first else { return [] }
        return [style.red("\(program):") + " " + first] + lines.dropFirst()
    }

    private func lines(of diagnostic: Diagnostic, _ program: String) -> [String] {
        var lines = "\(diagnostic)".split(separator: "\n").flatMap { wrapped(String($0), program) }
        guard let location = diagnostic.location else { return lines }
        if lines[0].hasPrefix("\(location):") {
            lines[0] = style.bold("\(location):") + lines[0].dropFirst("\(location):".count)
        }
        return lines + (SourceExcerpt(at: location)?.lines(style: style, width: width) ?? [])
    }

    private func wrapped(_ line: String, _ program: String) -> [String] {
        // The name of the program stands before the first line.
        width.map { Text.wrapped(line, max(20, $0 - program.count - 2)) } ?? [line]
    }
}

import Drover

/// Ensures that a file has these lines and no others.
struct WholeText: FileEdit {
    let lines: [String]

    func edited(_ old: [String]) -> [String] { lines }

    func command(on path: String) -> String {
        lines.isEmpty ? ":" : "printf '%s\\n' \(Shell.words(lines))"
    }
}

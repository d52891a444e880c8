import Diagnostics
import YAML

/// The variables of `--extra-vars KEY=VALUE`, the last of a name.
struct ExtraVariables {
    private(set) var variables: [Variable] = []
    private(set) var diagnostics = Diagnostics()

    init(_ texts: [String]) {
        for text in texts { read(text) }
    }

    private mutating func read(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            diagnostics.report("--extra-vars: '\(text)' sets nothing", remedy: "write KEY=VALUE")
            return
        }
        let file = "--extra-vars \(parts[0])"
        let start = SourceLocation(file: file, line: 1, column: 1)
        do {
            let value = try YAML.parse(parts[1], file: file) ?? YAMLNode(.scalar("", plain: true), at: start)
            var reader = VariableReader(origin: "--extra-vars")
            if let variable = reader.read(YAMLNode(.scalar(parts[0], plain: true), at: start), value) {
                variables.append(variable)
            }
            diagnostics.add(reader.diagnostics)
        } catch {
            diagnostics.add(error)
        }
    }
}

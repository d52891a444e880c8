import Diagnostics
import YAML

extension Host {
    /// The variables that hold for it, one a line, each with the place where it is set; secrets are masked.
    public var listing: String {
        let rows = allVariables.sorted { $0.name < $1.name }.map { variable in
            (
                "\(variable.name): \(variable.shown)", "\(variable.location.file):\(variable.location.line)",
                variable.origin.description
            )
        }
        let widths = (rows.map(\.0.count).max() ?? 0, rows.map(\.1.count).max() ?? 0)
        func padded(_ text: String, _ width: Int) -> String {
            text + String(repeating: " ", count: max(0, min(width, 60) - text.count))
        }
        let heading = "\(name) (\(groups.joined(separator: ", ")))"
        return ([heading] + rows.map { "  \(padded($0.0, widths.0))  \(padded($0.1, widths.1))  \($0.2)" })
            .joined(separator: "\n")
    }
}

extension Variable {
    /// Its value on one line, as YAML has it, too.
    fileprivate var shown: String {
        let json =
            SecretName.isSecret(name) || isFromOutside
            ? SecretName.masked
            : isText && written == nil
                ? .string(node.text ?? "") : JSONText(takesFacts ? written ?? node : node)
        return json.line
    }
}

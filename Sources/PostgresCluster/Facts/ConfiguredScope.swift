import Engine

/// To which cluster a host's Patroni belongs by its configuration; nil when it has none.
struct ConfiguredScope: Fact {
    static let path = "/etc/patroni/config.yml"

    static func script(for questions: [ConfiguredScope]) -> ShellText {
        "[ ! -e \(quoting: path) ] || sed -n 's/^scope: *//p' \(quoting: path)"
    }

    static func answers(
        to questions: [ConfiguredScope], from output: String
    ) throws -> [ConfiguredScope: String?] {
        let scope = output.linesOfText.first.map {
            String($0.drop { $0 == "\"" || $0 == "'" }.prefix { $0 != "\"" && $0 != "'" })
        }
        return Dictionary(uniqueKeysWithValues: questions.map { ($0, scope) })
    }
}

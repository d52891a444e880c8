import Secrets

extension ClusterConfiguration {
    /// The file with the settings of WAL-G, in JSON: what the inventory says, and how the server is reached.
    func walgSettings(_ options: [WALGOption]) -> MaskedText {
        let server = [
            ("PGDATA", postgres.dataDirectory), ("PGHOST", "/var/run/postgresql"), ("PGPORT", "\(postgres.port)"),
            ("PGUSER", patroni.superuser.name),
        ].map { WALGOption(name: $0.0, value: MaskedText($0.1)) }
        var text = MaskedText("{\n")
        for (index, option) in (options + server).enumerated() {
            text.append(index == 0 ? "  \"\(option.name)\": \"" : ",\n  \"\(option.name)\": \"")
            for piece in option.value.pieces {
                switch piece {
                case .plain(let plain): text.append(Self.quoted(plain))
                case .secret(let secret): text.append(Secret(Self.quoted(secret.reveal())))
                }
            }
            text.append("\"")
        }
        text.append("\n}\n")
        return text
    }

    /// A text as it stands between the quotes of JSON; a key of PGP has several lines.
    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: String(scalar)
            }
        }.joined()
    }
}

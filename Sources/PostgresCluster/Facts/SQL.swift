/// Writing SQL.
enum SQL {
    /// A name, quoted: `"app"`.
    static func identifier(_ name: String) -> String { quoted(name, with: "\"") }

    /// A text, quoted: `'it''s'`. The text has no backslash that would mean something: standard strings are PostgreSQL's
    /// default.
    static func literal(_ text: String) -> String { quoted(text, with: "'") }

    private static func quoted(_ text: String, with quote: Character) -> String {
        let doubled = text.flatMap { $0 == quote ? [$0, $0] : [$0] }
        return "\(quote)\(String(doubled))\(quote)"
    }
}

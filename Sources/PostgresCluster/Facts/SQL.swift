/// Writing SQL.
enum SQL {
    /// A name, quoted: `"app"`.
    static func identifier(_ name: String) -> String { quoted(name, with: "\"") }

    /// A text, quoted: `'it''s'`. The text has no backslash that would mean something: standard strings are PostgreSQL's
    /// default.
    static func literal(_ text: String) -> String { quoted(text, with: "'") }

    /// What `psql -d` takes for the database of this name: it would read a name with a `=`, or one like a URI, as settings of
    /// the connection.
    static func connection(to database: String) -> String {
        guard database.utf8.contains(UInt8(ascii: "=")) || database.hasPrefix("postgres") && database.contains("://")
        else { return database }
        let escaped = database.unicodeScalars.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "dbname='\(escaped)'"
    }

    /// By scalars: a quote with an accent upon it is another character, but still a quote to PostgreSQL.
    private static func quoted(_ text: String, with quote: Unicode.Scalar) -> String {
        var quoted = String.UnicodeScalarView([quote])
        for scalar in text.unicodeScalars { quoted += scalar == quote ? [quote, quote] : [scalar] }
        return String(quoted) + String(quote)
    }
}

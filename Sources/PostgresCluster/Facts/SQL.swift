import Engine
import Secrets

/// The language of PostgreSQL.
enum SQL {
    /// What `psql -d` takes for the database of this name: it would read a name with a `=`, or one like a URI, as settings of
    /// the connection.
    static func connection(to database: String) -> String {
        guard database.utf8.contains(UInt8(ascii: "=")) || database.hasPrefix("postgres") && database.contains("://")
        else { return database }
        let escaped = database.unicodeScalars.map { $0 == "'" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        return "dbname='\(escaped)'"
    }

    /// By scalars: a quote with an accent upon it is another character, but still a quote to PostgreSQL.
    fileprivate static func quoted(_ text: String, with quote: Unicode.Scalar) -> String {
        var quoted = String.UnicodeScalarView([quote])
        for scalar in text.unicodeScalars { quoted += scalar == quote ? [quote, quote] : [scalar] }
        return String(quoted) + String(quote)
    }
}

/// Statements, or parts of them.
///
///     "ALTER DATABASE \(identifier: name) OWNER TO \(identifier: owner);"
///     "SELECT … WHERE datname = \(literal: name);"
typealias SQLText = CheckedText<SQL>

extension CheckedText<SQL>.StringInterpolation {
    /// A name, quoted: `"app"`.
    mutating func appendInterpolation(identifier name: String) { append(SQL.quoted(name, with: "\"")) }

    /// A text, quoted: `'it''s'`. A backslash in it means nothing: standard strings are PostgreSQL's default.
    mutating func appendInterpolation(literal text: String) { append(SQL.quoted(text, with: "'")) }

    /// A secret, quoted.
    mutating func appendInterpolation(literal secret: Secret) { append(Secret(SQL.quoted(secret.reveal(), with: "'"))) }

    /// Statements or expressions as one text, quoted: `'"app"'`.
    mutating func appendInterpolation(literal text: SQLText) { append(SQL.quoted(text.reveal(), with: "'")) }

    /// A list of texts, each quoted: `'a', 'b'`.
    mutating func appendInterpolation(literals texts: [String]) {
        append(texts.map { SQL.quoted($0, with: "'") }.joined(separator: ", "))
    }
}

/// Where the columns of one of PgBouncer's tables are, which differs between its versions.
///
/// Source: PgBouncer 1.24.0 changelog: SHOW CLIENTS and SHOW SERVERS have a new fourth column, `replication`.
struct PoolerColumns: Sendable {
    private let places: [String: Int]

    /// - Parameter header: the names of the columns.
    /// - Returns: nil if this is a row, which begins with a letter for what it is about.
    init?(header: [String]) {
        guard header.first == "type" else { return nil }
        places = Dictionary(header.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    /// The value of a column in a row; nil if the table has no such column.
    func value(of column: String, in row: [String]) -> String? {
        places[column].flatMap { row.indices.contains($0) ? row[$0] : nil }
    }
}

import Engine
import Secrets
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Shared configuration")
struct DynamicConfigurationTests {
    private static let current = """
        {"ttl": 30, "loop_wait": 10, "synchronous_mode": false,
         "postgresql": {"use_slots": true, "parameters": {"max_connections": "200", "wal_level": "replica"}}}
        """

    private struct Row: Sendable {
        var settings: [DynamicConfiguration.Setting]
        var status = 200
        var changes: [String] = []
        var patch: String?
    }

    private static func setting(_ path: String, _ value: JSONValue) -> DynamicConfiguration.Setting {
        .init(path: path.split(separator: "/").map(String.init), value: value)
    }

    private static let rows: [Row] = [
        Row(settings: [setting("ttl", .number(30)), setting("synchronous_mode", .bool(false))]),
        Row(settings: [setting("postgresql/parameters/max_connections", .number(200))]),
        Row(settings: [setting("ttl", .number(40))], status: 0),
        Row(settings: [setting("ttl", .number(40))], status: 503),
        Row(
            settings: [setting("ttl", .number(40)), setting("loop_wait", .number(10))],
            changes: ["set ttl 30 → 40 for all members"], patch: #"{"ttl":40}"#),
        Row(
            settings: [
                setting("synchronous_mode", .bool(true)),
                setting("postgresql/parameters/max_connections", .text("300")),
                setting("postgresql/parameters/wal_log_hints", .text("on")),
            ],
            changes: [
                "set synchronous_mode false → true, max_connections 200 → 300, wal_log_hints unset → on for all members"
            ],
            patch:
                #"{"postgresql":{"parameters":{"max_connections":"300","wal_log_hints":"on"}},"synchronous_mode":true}"#
        ),
    ]

    @Test("changes only what is different, and nothing while nobody answers", arguments: rows)
    private func decides(row: Row) throws {
        let resource = DynamicConfiguration(settings: row.settings, api: PatroniAPI(address: "10.0.0.1", port: 8008))
        var facts = Facts()
        facts.record(.init(status: row.status, body: Self.current), to: HTTPResponse("http://10.0.0.1:8008/config"))
        let changes = try resource.changes(given: facts, after: PendingEffects())
        #expect(changes.map(\.summary) == row.changes)
        if let patch = row.patch {
            let script = try #require(changes.first?.script.reveal())
            #expect(
                script.hasSuffix("--request PATCH --data-raw \(ShellText.quoting(patch)) http://10.0.0.1:8008/config"))
        }
    }
}

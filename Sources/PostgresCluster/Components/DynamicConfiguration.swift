public import Engine
import FoundationEssentials
import Secrets
import SystemResources

/// Ensures that the configuration which all members share has these values. It stands in the consensus store; Patroni's
/// files give it only to a new cluster, and are silent about it ever after.
struct DynamicConfiguration: Resource {
    /// A setting by its path in the configuration: `["postgresql", "parameters", "max_connections"]`.
    struct Setting: Sendable {
        let path: [String]
        let value: JSONValue
    }

    let settings: [Setting]
    /// The leader's REST API.
    let api: PatroniAPI

    var name: String { "shared configuration" }

    var questions: [any Fact] { [configuration] }

    private var configuration: HTTPResponse { api.question("/config") }

    /// Values that are not among the settings stay as they are: others may have set them.
    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        // While nobody answers there is no cluster yet, or its leader is about to be started with these very values.
        guard let current = try facts[configuration].json(JSONValue.self) else { return [] }
        let different = settings.filter { current.value(at: $0.path)?.scalar != $0.value.scalar }
        if different.isEmpty { return [] }
        let words = different.map { setting in
            let old = current.value(at: setting.path)?.scalar ?? "unset"
            return "\(setting.path.last ?? "") \(old) → \(setting.value.scalar ?? "")"
        }
        return [Change("set \(words.joined(separator: ", ")) for all members", script: try script(setting: different))]
    }

    private func script(setting different: [Setting]) throws -> ShellText {
        let body = try DynamicConfiguration.json(of: different)
        return api.send(body, to: "/config", by: "PATCH", "--show-error --fail-with-body")
    }

    static func json(of settings: [Setting]) throws -> String {
        let object = settings.reduce(JSONValue.object([:])) { $0.setting($1.value, at: $1.path) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self)
    }
}

extension JSONValue {
    fileprivate func value(at path: [String]) -> JSONValue? {
        path.reduce(Optional(self)) { $0?[$1] }
    }

    fileprivate func setting(_ value: JSONValue, at path: [String]) -> JSONValue {
        guard let key = path.first else { return value }
        guard case .object(var values) = self else { return JSONValue.object([:]).setting(value, at: path) }
        values[key] = (values[key] ?? .object([:])).setting(value, at: Array(path.dropFirst()))
        return .object(values)
    }
}

extension Cluster {
    /// What the members share, brought to what the inventory says.
    @ResourceBuilder
    public var sharedConfiguration: [any Resource] {
        DynamicConfiguration(settings: sharedSettings, api: api(leader))
        for stranger in strangers {
            Remark(
                "\(stranger.name) (\(stranger.address ?? "address unknown"), \(stranger.state)) is a member that the inventory does "
                    + "not name: it stays as it is; to take it out, name it again and apply remove-pgnode")
        }
    }

    /// What the inventory says of what the members share.
    var sharedSettings: [DynamicConfiguration.Setting] {
        let patroni = configuration.patroni
        let scalars: [(String, JSONValue)] = [
            ("ttl", .number(Double(patroni.ttl))), ("loop_wait", .number(Double(patroni.loopWait))),
            ("retry_timeout", .number(Double(patroni.retryTimeout))),
            ("maximum_lag_on_failover", .number(Double(patroni.maximumLagOnFailover))),
            ("synchronous_mode", .bool(patroni.synchronous.isOn)),
            ("synchronous_mode_strict", .bool(patroni.synchronous.isStrict)),
            ("synchronous_node_count", .number(Double(patroni.synchronous.count))),
            ("failsafe_mode", .bool(patroni.failsafeMode)),
            ("master_start_timeout", .number(Double(patroni.primaryStartTimeout))),
        ]
        let parameters = configuration.postgres.parameters.filter(\.isClusterWide)
        return scalars.map { .init(path: [$0.0], value: $0.1) } + rewinding + slots + following
            + parameters.map { .init(path: ["postgresql", "parameters", $0.name], value: .text($0.value)) }
    }

    private var rewinding: [DynamicConfiguration.Setting] {
        [.init(path: ["postgresql", "use_pg_rewind"], value: .bool(configuration.patroni.rewind.isUsed))]
    }

    private var following: [DynamicConfiguration.Setting] {
        guard let source = configuration.patroni.standby else { return [] }
        let values: [(String, JSONValue)] =
            [("host", .text(source.host)), ("port", .number(Double(source.port)))]
            + (source.slot.map { [("primary_slot_name", .text($0))] } ?? [])
        return values.map { .init(path: ["standby_cluster", $0.0], value: $0.1) }
    }

    private var slots: [DynamicConfiguration.Setting] {
        configuration.patroni.slots.flatMap { slot in
            [("type", slot.kind.rawValue), ("database", slot.database), ("plugin", slot.plugin)].compactMap {
                key, value in
                value.map { .init(path: ["slots", slot.name, key], value: .text($0)) }
            }
        }
    }
}

import Diagnostics
import Inventory
import Secrets
public import YAML

extension ClusterConfiguration.Patroni.Watchdog: YAMLDecodable {}
extension ClusterConfiguration.Patroni.Preset: YAMLDecodable {}
extension ClusterConfiguration.Patroni.Slot.Kind: YAMLDecodable {}

extension ClusterConfiguration.Patroni.Timers {
    /// The preset, and what is said apart from it.
    init(_ variables: inout Variables) {
        self.init(variables.optional("patroni_preset"))
        ttl = variables.optional("patroni_ttl") ?? ttl
        loopWait = variables.optional("patroni_loop_wait") ?? loopWait
        retryTimeout = variables.optional("patroni_retry_timeout") ?? retryTimeout
        primaryStartTimeout = variables.optional("patroni_master_start_timeout") ?? primaryStartTimeout
        let (least, words, harm) = demand
        if ttl < least {
            let names = ["patroni_ttl", "patroni_loop_wait", "patroni_retry_timeout"]
            variables.diagnostics.report(
                "patroni_ttl \(ttl) is less than \(words), \(least), so that \(harm)",
                at: names.lazy.compactMap(variables.location).first,
                remedy: "write patroni_ttl: \(least) or more, or shorten the other two")
        }
        for (name, value, bound) in [("patroni_loop_wait", loopWait, 1), ("patroni_retry_timeout", retryTimeout, 3)]
        where value < bound {
            variables.diagnostics.report(
                "\(name) \(value) is too short", at: variables.location(of: name), remedy: "write \(bound) or more")
        }
    }

    /// What the time to live must be at least, and why.
    ///
    /// A replica renews its key only when `loop_wait` has gone by since the last time, which may be at every second turn
    /// (`Etcd3._do_refresh_lease`, Patroni 3.0.2). While its key is gone the leader takes it for one that has left: it is not
    /// synchronous, and may not take over.
    private var demand: (least: Int, words: String, harm: String) {
        loopWait > retryTimeout
            ? (
                2 * loopWait + retryTimeout, "2 × patroni_loop_wait + patroni_retry_timeout",
                "a replica that runs would be gone from etcd again and again, and could not take over then"
            )
            : (
                loopWait + 2 * retryTimeout, "patroni_loop_wait + 2 × patroni_retry_timeout",
                "a leader would lose its lock while it still tries to renew it"
            )
    }
}

extension ClusterConfiguration.Patroni.Synchronous {
    /// - Parameter cascaded: how many of the replicas stream from others; Patroni makes none of them synchronous.
    init(_ variables: inout Variables, replicas all: Int, cascaded: Int) {
        let replicas = all - cascaded
        let isOn = variables.optional("synchronous_mode") ?? false
        let isStrict = variables.optional("synchronous_mode_strict") ?? false
        let count = variables.optional("synchronous_node_count") ?? 1
        if isStrict, !isOn {
            variables.diagnostics.report(
                "synchronous_mode_strict means nothing without synchronous_mode",
                at: variables.location(of: "synchronous_mode_strict"),
                remedy: "write synchronous_mode: true, or leave it out")
        }
        if count < 1 || (isOn && count > max(1, replicas)) {
            variables.diagnostics.report(
                "\(count) replicas cannot be synchronous", at: variables.location(of: "synchronous_node_count"),
                remedy: "write 1 to \(max(1, replicas)): there are \(replicas)"
                    + (cascaded > 0 ? " that stream from the leader" : ""))
        }
        self.init(isOn: isOn, isStrict: isStrict, count: count)
    }
}

extension ClusterConfiguration.Patroni.Rewind {
    init(_ variables: inout Variables) {
        self.init(
            isUsed: variables.optional("patroni_postgresql_use_pg_rewind") ?? true,
            removesDataOnFailure: variables.optional("patroni_remove_data_directory_on_rewind_failure") ?? false,
            removesDataOnDivergedTimelines:
                variables.optional("patroni_remove_data_directory_on_diverged_timelines") ?? false)
    }
}

extension ClusterConfiguration.Patroni.Slot: YAMLDecodable {
    /// `{ slot: feed, type: logical, database: app, plugin: pgoutput }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a slot")
        let name: String? = reader.required("slot")
        let kind: Kind? = reader.required("type")
        let database: String? = reader.optional("database")
        let plugin: String? = reader.optional("plugin")
        if let name, name.wholeMatch(of: /[a-z0-9_]{1,63}/) == nil {
            reader.diagnostics.report(
                "'\(name)' cannot name a slot", at: node.location,
                remedy: "use small letters, digits and '_', at most 63")
        }
        if let plugin, plugin.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_-]*/) == nil {
            reader.diagnostics.report(
                "'\(plugin)' cannot be the plugin of a slot", at: node.location,
                remedy: "use letters, digits, '_' and '-'")
        }
        if kind == .logical, database == nil || plugin == nil {
            reader.diagnostics.report(
                "a logical slot belongs to a database and has a plugin", at: node.location,
                remedy: "write { slot: …, type: logical, database: app, plugin: pgoutput }")
        }
        let (slot, type) = try reader.finish(name, kind)
        self.init(name: slot, kind: type, database: database, plugin: plugin)
    }
}

extension ClusterConfiguration.Patroni.Tags {
    private static let known = ["nofailover", "noloadbalance", "clonefrom", "nosync"]
    /// Patroni 3.0.2 takes them for words of the user, and heeds none of them.
    private static let later = [
        "failover_priority": "nofailover=true keeps a member from leading",
        "sync_priority": "nosync=true keeps it from that",
        "nostream": "archive recovery alone is not supported",
    ]

    /// `nofailover=true,noloadbalance=true,datacenter=dc1`, of one member.
    init(_ variables: inout Variables, of host: Host) {
        self.init()
        let text: String? = variables.optional("patroni_tags", of: host)
        let place = host.variables["patroni_tags"]?.node.location
        for tag in (text ?? "").split(separator: ",") {
            let parts = tag.split(separator: "=", maxSplits: 1).map { String($0.filter { !$0.isWhitespace }) }
            if let name = parts.first, !Self.known.contains(name) {
                let later = Self.later[name].map { "Patroni 3.0 of Debian 12 does not know it; \($0)" }
                let remedy =
                    name == "replicatefrom"
                    ? "write patroni_replicatefrom" : later ?? Suggestion.remedy(for: name, among: Self.known)
                let isOwn =
                    tag.filter { !$0.isWhitespace }.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_-]*=[A-Za-z0-9_.-]+/) != nil
                if remedy == nil, isOwn {
                    own[name] = parts[1]
                } else {
                    variables.diagnostics.report(
                        "unknown tag '\(name)'", at: place,
                        remedy: remedy
                            ?? "the tags are \(Self.known.joined(separator: ", ")), and your own such as datacenter=dc1"
                    )
                }
                continue
            }
            guard parts.count == 2, let value = Bool(parts[1].lowercased()) else {
                variables.diagnostics.report(
                    "'\(tag)' is no tag", at: place, remedy: "write NAME=true, several with commas between them")
                continue
            }
            switch parts[0] {
            case "nofailover": nofailover = value
            case "noloadbalance": noloadbalance = value
            case "clonefrom": clonefrom = value
            default: nosync = value
            }
        }
    }
}

extension Variables {
    /// Reports `synchronous_standby_names`: Patroni before 3.3.2 takes it out of the configuration of PostgreSQL (pull request
    /// 3094), so clients would be told of commits that no replica has.
    mutating func reportSynchronousStandbys(_ parameters: [String]) {
        guard parameters.contains("synchronous_standby_names") else { return }
        diagnostics.report(
            "'synchronous_standby_names' is set by Patroni, which ignores another value",
            at: location(of: "postgresql_parameters"), remedy: "take it out, and set synchronous_mode: true")
    }
}

extension Variables {
    /// `local_postgresql_parameters` of each member, which win over those of all.
    mutating func localParameters(of members: [Node]) -> [String: [ClusterConfiguration.Parameter]] {
        let name = "local_postgresql_parameters"
        var result: [String: [ClusterConfiguration.Parameter]] = [:]
        for member in members {
            let own: [ClusterConfiguration.Parameter] = optional(name, of: member.host) ?? []
            for parameter in own where parameter.isClusterWide {
                diagnostics.report(
                    "'\(parameter.name)' must be the same on all members", at: location(of: name),
                    remedy: "write it into postgresql_parameters")
            }
            result[member.name] = own
        }
        return result
    }

    /// Parameters without those of TLS, which the certificates of the cluster set.
    mutating func withoutTLS(_ parameters: [ClusterConfiguration.Parameter]) -> [ClusterConfiguration.Parameter] {
        let own: Set = ["ssl", "ssl_cert_file", "ssl_key_file", "ssl_ca_file"]
        let found = parameters.filter { own.contains($0.name.lowercased()) }
        guard !found.isEmpty else { return parameters }
        notes.append(
            Diagnostic(
                "\(found.map(\.name).joined(separator: ", ")) of postgresql_parameters follow from tls_enable",
                at: location(of: "postgresql_parameters")))
        return parameters.filter { !own.contains($0.name.lowercased()) }
    }
}

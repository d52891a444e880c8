import Diagnostics
import Inventory
public import YAML

extension ClusterConfiguration.Patroni {
    /// Commands of the inventory's own that Patroni runs as the system user `postgres`.
    public struct Hooks: Sendable, Equatable {
        /// `patroni_callbacks`: run beside what has happened; Patroni waits for none of them.
        public var callbacks: [Callback] = []
        /// `patroni_pre_promote`: run before a replica is promoted, which does not happen when it fails.
        public var prePromote: String?
        /// `patroni_before_stop`: run before PostgreSQL is stopped.
        public var beforeStop: String?

        /// What is run after one of Patroni's actions, with the action, the role and the name of the cluster as arguments.
        public struct Callback: Sendable, Equatable {
            public let action: Action
            public let script: String

            /// What Patroni has done.
            public enum Action: String, CaseIterable, Sendable {
                case start = "on_start", stop = "on_stop", restart = "on_restart", reload = "on_reload"
                case roleChange = "on_role_change"
            }
        }
    }
}

extension ClusterConfiguration.Patroni.Hooks.Callback.Action: YAMLDecodable {}

/// One of `patroni_callbacks`. postgresql_cluster ships them without a script, which then do nothing.
private struct GivenCallback: YAMLDecodable, Equatable {
    let callback: ClusterConfiguration.Patroni.Hooks.Callback?

    /// `{ action: on_role_change, script: /usr/local/bin/notify }`.
    init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a callback of Patroni")
        let action: ClusterConfiguration.Patroni.Hooks.Callback.Action? = reader.required("action")
        let script: String = reader.optional("script") ?? ""
        callback = script.isEmpty ? nil : try .init(action: reader.finish(action), script: script)
    }
}

extension ClusterConfiguration.Patroni.Hooks {
    init(_ variables: inout Variables) {
        let given: [GivenCallback] = variables.optional("patroni_callbacks") ?? []
        callbacks = given.compactMap(\.callback)
        for callback in callbacks { variables.checkHook(callback.script, of: "patroni_callbacks") }
        variables.reportRepeated(callbacks.map(\.action.rawValue), in: "patroni_callbacks")
        prePromote = variables.hook("patroni_pre_promote")
        beforeStop = variables.hook("patroni_before_stop")
    }

    /// By the names that Patroni has for them.
    var commands: [ClusterConfiguration.Parameter] {
        [("pre_promote", prePromote), ("before_stop", beforeStop)].compactMap { name, command in
            command.map { .init(name: name, value: $0) }
        }
    }
}

extension Variables {
    fileprivate mutating func hook(_ name: String) -> String? {
        guard let command = text(name) else { return nil }
        checkHook(command, of: name)
        return command
    }

    fileprivate mutating func checkHook(_ command: String, of name: String) {
        guard command.wholeMatch(of: /\/[!-~]+( [ -~]*)?/) == nil else { return }
        diagnostics.report(
            "'\(command)' is no command of \(name)", at: location(of: name),
            remedy: "begin it with an absolute path on the members")
    }
}

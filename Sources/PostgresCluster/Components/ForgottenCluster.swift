import Engine
import Secrets
import SystemResources

/// Ensures that etcd knows nothing of a cluster. What others have in it stays.
struct ForgottenCluster: Resource {
    /// The directory of the cluster in etcd, which ends with a slash.
    let path: String
    /// The member of etcd that is asked and told.
    let speaker: EtcdEndpoint

    var name: String { "no keys under \(path)" }

    private var keys: HTTPResponse { EtcdStatus.keys(under: path, at: speaker) }

    var questions: [any Fact] { [keys] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        guard let found = try facts[keys].json(EtcdStatus.Keys.self), !found.names.isEmpty else { return [] }
        return [
            Change(
                "delete the keys under \(path) in etcd", .remove,
                script: """
                    \(EtcdEndpoint.control([speaker]))
                    etcdctl --command-timeout=10s del --prefix \(quoting: path) >/dev/null
                    left=$(etcdctl --command-timeout=10s get --prefix --keys-only \(quoting: path))
                    [ -z "$left" ] || { echo "somebody has written again:"; echo "$left"; exit 1; }
                    """)
        ]
    }

    /// Members write to their keys all the time.
    func essence(given facts: Facts) throws -> String { "\(try changes(given: facts, after: PendingEffects()).count)" }
}

import Engine
import Secrets
import SystemResources

/// Ensures that an etcd that was there before knows nothing of a cluster. What others have in it stays.
struct ForgottenInExistingEtcd: Resource {
    let view: ExistingEtcdView

    var name: String { "no keys under \(view.path)" }

    var questions: [any Fact] { [view] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let told = try facts[view]
        guard let endpoint = zip(view.etcd.endpoints, told).first(where: { $1.isReadable == true })?.0,
            told.contains(where: { !$0.keys.isEmpty })
        else { return [] }
        let (first, end) = ExistingEtcd.bounds(of: view.path)
        let script: ShellText = """
            \(view.etcd.opening(endpoint))
            range=\(quoting: #"{"key":"\#(first)","range_end":"\#(end)"}"#)
            answer=$(ask /v3/kv/deleterange "$range")
            case $answer in *'"error"'* | '') echo "etcd does not delete: $answer"; exit 1 ;; esac
            left=$(ask /v3/kv/range "$range")
            case $left in *'"kvs"'*) echo "somebody has written again"; exit 1 ;; esac
            """
        return [Change("delete the keys under \(view.path) in etcd", .remove, script: script)]
    }

    /// Members write to their keys all the time.
    func essence(given facts: Facts) throws -> String { "\(try changes(given: facts, after: PendingEffects()).count)" }
}

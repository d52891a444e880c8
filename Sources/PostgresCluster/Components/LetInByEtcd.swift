public import Engine
public import Inventory
import Secrets
import SystemResources

/// Ensures that an etcd that there was before lets a member in, and, when the cluster is to be made, that it knows none of its
/// name. A host that had nothing to ask it by could not find out before.
struct LetInByEtcd: Resource {
    let view: ExistingEtcdView
    /// Nil when the cluster is not to be made.
    let directory: PostgresDirectory?

    var name: String { "access to the etcd of patroni_etcd_hosts" }

    var questions: [any Fact] { [view] + (directory.map { [$0] } ?? []) }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let told = try facts[view]
        let isAtWork = try directory.map { try facts[$0] != .empty } ?? true
        let isFree = isAtWork || told.allSatisfy { $0.systemIdentifier == nil }
        if isFree, 2 * told.filter({ $0.isReadable == true }).count > told.count { return [] }
        return [Change("ask \(Self.etcd) whether it lets the cluster in", script: isAtWork ? asking : askingAndFree)]
    }

    /// What it says of its members changes all the time.
    func essence(given facts: Facts) throws -> String { "\(try changes(given: facts, after: PendingEffects()).count)" }

    private static let etcd = "the etcd of patroni_etcd_hosts"

    private var askingAndFree: ShellText {
        """
        \(asking)
        [ "$known" = 0 ] || {
            echo "it knows another cluster under \(inDoubleQuotes: view.path): choose another patroni_cluster_name or patroni_etcd_namespace"
            exit 1
        }
        """
    }

    private var asking: ShellText {
        let questions = view.etcd.endpoints.map { endpoint -> ShellText in
            """
            \(view.etcd.opening(endpoint))
            answer=$(ask /v3/kv/range \(quoting: view.identifier) | tr -d '\\n')
            case $answer in *'"kvs"'*) known=1 ;; esac
            case $answer in
            *'"header"'*) in=$((in + 1)) ;;
            *CommonName*) complaints="$complaints \(inDoubleQuotes: "\(endpoint.words) (\(ExistingEtcdView.named))")" ;;
            *) complaints="$complaints \(inDoubleQuotes: endpoint.words) (${refusal:-${answer:-no answer}})" ;;
            esac
            """
        }
        return """
            in=0 known=0 complaints=
            \(questions.joined(separator: "\n"))
            [ $((2 * in)) -gt \(view.etcd.endpoints.count) ] || {
                echo "\(inDoubleQuotes: Self.etcd) cannot be used:$complaints: bring it back, or correct how it is reached"
                exit 1
            }
            """
    }
}

extension Cluster {
    /// Asks an etcd that there was before, by what the hosts have for that by now.
    public func etcdAccess(on hosts: [Host]) -> Play {
        let questions = ClusterQuestions(configuration: configuration)
        let view = questions.existingEtcd
        return Play("Ask etcd", on: view == nil ? [] : hosts, tags: ["etcd"]) { _ in
            if let view { LetInByEtcd(view: view, directory: state == .new ? questions.directory : nil) }
        }
    }
}

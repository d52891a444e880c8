import Crypto
import Engine
import Secrets

extension Cluster {
    /// The lines of `pg_hba.conf`: first how the cluster itself gets in, then whom the inventory lets in.
    ///
    /// A member logs in to the others as the replication user, also when it rewinds its data to the leader's timeline.
    /// PgBouncer comes from the loopback address: the first rule would admit its system user, `postgres`, as the superuser.
    var accessLines: [String] {
        let (superuser, replication) = (configuration.patroni.superuser.name, configuration.patroni.replication.name)
        let monitoring = ClusterConfiguration.Monitoring.role
        let own =
            ["local all \(superuser) peer"]
            + (configuration.monitoring == nil ? [] : ["local postgres \(monitoring) peer"]) + [
                "local all all scram-sha-256",
                "host all all 127.0.0.1/32 scram-sha-256",
                "host replication \(replication) 127.0.0.1/32 scram-sha-256",
            ]
        let host = configuration.tls == nil ? "host" : "hostssl"
        let others = peers.flatMap { peer in
            [
                "\(host) replication \(replication) \(peer.address)/32 scram-sha-256",
                "\(host) postgres \(replication) \(peer.address)/32 scram-sha-256",
                "\(host) all \(superuser) \(peer.address)/32 scram-sha-256",
            ]
        }
        return own + others + configuration.postgres.accessRules.map(\.line)
    }

    /// Holds when the rules that PostgreSQL reads are the declared ones, and none of them is broken. A replica that is cloned
    /// before is turned away.
    ///
    /// Patroni reads its file again when its next turn comes, which may be in `loop_wait` seconds, unless it is woken. When the
    /// file is written, an earlier version of it may not have been read yet: what was observed says nothing then.
    func letsIn(_ node: Node) -> Condition {
        let digest = Insecure.MD5.hash(data: Array(accessLines.map { $0 + "\n" }.joined().utf8)).hexadecimal
        let catalog = catalog
        let test = catalog.script(
            running: """
                SELECT 'open' WHERE \(PostgresCatalog.accessDigest) = \(literal: digest)
                    AND NOT EXISTS (SELECT FROM pg_hba_file_rules WHERE error IS NOT NULL);
                """)
        return Condition(
            "PostgreSQL lets in whom it shall", signs: [catalog],
            test: "{ \(test)} | grep -q open || { \(waking(node)); false; }",
            unit: "patroni.service", timeout: 60, unsettlingFiles: [Cluster.patroniFile]
        ) { facts in
            let answer = try facts[catalog]
            return !answer.isRunning || (!answer.hasBrokenRules && answer.accessDigest == digest)
        }
    }
}

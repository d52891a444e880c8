import Engine
import Inventory
import SystemResources

/// The program that stops PostgreSQL when Patroni does not run.
struct PatroniFence: ConfigurationFile {
    static let template = "patroni-fence.py"
    static let path = "/usr/local/lib/drover/patroni-fence"
    static let unit = "patroni-fence"
}

/// The unit of that program.
struct PatroniFenceUnit: ConfigurationFile {
    static let template = "patroni-fence.service"
    static let path = "/etc/systemd/system/patroni-fence.service"

    var program = PatroniFence.path
    let address: String
    let port: Int
    /// Whether the REST API speaks TLS.
    let speaksTLS: Bool
    let dataDirectory: String
    let binaryDirectory: String
    /// Seconds.
    let limit: Int

    enum CodingKeys: String, CodingKey {
        case program, address, port, limit
        case speaksTLS = "speaks_tls"
        case dataDirectory = "data_dir"
        case binaryDirectory = "binary_dir"
    }
}

extension ClusterConfiguration.Patroni {
    /// For how many seconds Patroni may not run before the fence stops PostgreSQL.
    ///
    /// The lock lasts for `ttl`, and the fence needs up to two seconds. Less would stop a healthy leader: a loop that finds
    /// etcd gone waits for `retry_timeout`, and asks the other members for up to four seconds before it goes on in failsafe
    /// mode.
    var fenceLimit: Int { max(ttl - 3, loopWait + retryTimeout + 1) }
}

extension Cluster {
    /// Fences the PostgreSQL of a member whose Patroni hangs, or whose host was paused.
    @ResourceBuilder
    func patroniFence(of node: Node) throws -> [any Resource] {
        File(PatroniFence.path, containing: try templates.render(PatroniFence()), mode: 0o755)
        File(
            PatroniFenceUnit.path,
            containing: try templates.render(
                PatroniFenceUnit(
                    address: node.address, port: configuration.patroni.restPort,
                    speaksTLS: configuration.tls != nil,
                    dataDirectory: configuration.postgres.dataDirectory,
                    binaryDirectory: configuration.postgres.binaryDirectory, limit: configuration.patroni.fenceLimit)))
        Service(PatroniFence.unit, restartedBy: [PatroniFence.path, PatroniFenceUnit.path])
    }
}

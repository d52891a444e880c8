import Engine
import Inventory
import Secrets
import SystemResources

/// The becoming of a cluster's leader of a server that has stood alone so far.
struct Adoption {
    let cluster: Cluster
    let node: Node
    let server: ExistingServer.Answer

    private var configuration: ClusterConfiguration { cluster.configuration }

    /// What is asked of its host in any case.
    static func question(in configuration: ClusterConfiguration) -> ExistingServer {
        let declared = configuration.postgres.parameters.map { $0.name.lowercased() }
        let names = Set(declared + ExistingSettings.names + ["archive_mode", "archive_command", "archive_timeout"])
        return ExistingServer(
            directory: configuration.postgres.dataDirectory, binaryDirectory: configuration.postgres.binaryDirectory,
            names: names.sorted())
    }

    var settings: ExistingSettings {
        ExistingSettings(
            server: server, declared: configuration.postgres.parameters + cluster.archiveParameters,
            imposed: [
                .init(name: "listen_addresses", value: "\(node.address),127.0.0.1"),
                .init(name: "password_encryption", value: "scram-sha-256"),
            ])
    }

    /// `/etc/postgresql/15/main`, when it is one of Debian's clusters.
    var configurationDirectory: String? {
        guard let file = server.identity?.configFile, file.hasPrefix("/etc/postgresql/") else { return nil }
        return file.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    }

    /// The rules by which it lets people in that are not among those of the cluster.
    var droppedRules: [MaskedText] {
        let lines = server.accessFile.linesOfText.map { line in
            line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let known = Set(cluster.accessLines)
        return lines.filter { !$0.isEmpty && !known.contains($0) }
            .map { ClusterConfiguration.AccessRule.masking($0) }
    }
}

extension ExistingServer.Answer {
    /// Whether it reads a configuration that is not Patroni's, which stands in the data directory.
    func standsAlone(in directory: String) -> Bool {
        identity.map { !$0.configFile.hasPrefix(directory + "/") } ?? false
    }
}

extension ClusterQuestions {
    /// The member that the inventory says to have a server of its own, when one works there that has nothing to do with
    /// Patroni yet.
    func standAlone(given observed: Observations) -> (node: Node, server: ExistingServer.Answer)? {
        guard let node = configuration.members.first(where: { $0.name == configuration.existingServer }),
            let server = observed[node.host].ifKnown(Adoption.question(in: configuration)),
            server.standsAlone(in: configuration.postgres.dataDirectory)
        else { return nil }
        return (node, server)
    }

    /// What is asked of a host because of a server that stands alone.
    func adoptionQuestions(of host: Host) -> [any Fact] {
        guard let name = configuration.existingServer else { return [] }
        var questions: [any Fact] = host.name == name ? [Adoption.question(in: configuration)] : []
        for node in configuration.etcd where node.name == host.name { questions.append(sharedKey(at: node)) }
        return questions
    }

    func sharedKey(at node: Node) -> HTTPResponse {
        EtcdStatus.value(of: configuration.path + "config", at: configuration.endpoint(of: node))
    }
}

extension Cluster {
    /// What is yet to be done for the server that stands alone; nil when there is none, or it is one of Patroni's already.
    var adoption: Adoption? {
        ClusterQuestions(configuration: configuration).standAlone(given: observed).map {
            Adoption(cluster: self, node: $0.node, server: $0.server)
        }
    }
}

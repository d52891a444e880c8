public import Engine
public import Inventory
import FoundationEssentials

/// A playbook for a PostgreSQL cluster: its model is what the inventory says of the cluster.
public protocol ClusterPlaybook: Playbook where Model == ClusterModel {
    /// The plays that bring the cluster to the declared state.
    ///
    /// - Throws: `Refusal` when the cluster that was found must not be touched.
    func plays(for cluster: Cluster) throws -> [Play]

    /// What is asked of a host beyond what tells the state of the cluster.
    func questions(of host: Host, in configuration: ClusterConfiguration) -> [any Fact]

    /// The guards, and what must be said to approve the plan; nil when a yes is enough.
    ///
    /// - Throws: `Refusal` when the cluster that was found must not be touched.
    func confirmation(for cluster: Cluster) throws -> Confirmation?

    /// Whether it may issue certificates, so that hosts must trust who would.
    var issuesCertificates: Bool { get }

    /// Whether it gives etcd its own authority, where an earlier version had it trust that of the cluster.
    var separatesEtcd: Bool { get }
}

extension ClusterPlaybook {
    /// Those of a cluster, and those of postgresql_cluster that it judges.
    public static func reads(_ variable: String) -> Bool {
        VariableDescriptor.named(variable) != nil || ForeignVariables.isKnown(variable)
    }
}

/// A cluster's configuration and the templates of its files.
public struct ClusterModel: Sendable {
    private(set) var configuration: ClusterConfiguration
    let templates: ClusterTemplates
    /// What is kept beside the inventory; nil when that does not matter.
    private(set) var safe: ClusterSafe?
    /// Seconds since 1970.
    var now = 0

    /// - Throws: `Diagnostics` with everything that is wrong in the inventory or the templates.
    public init(_ inventory: Inventory) throws {
        var safe = try ClusterSafe(for: inventory)
        self.init(configuration: try ClusterConfiguration(safe.inventory), templates: try ClusterTemplates.installed())
        now = Int(Date().timeIntervalSince1970)
        if configuration.tls?.isIssued == true {
            try safe.openAuthorities(of: configuration.name, hasEtcd: !configuration.etcd.isEmpty, at: now)
        }
        self.safe = safe
    }

    init(configuration: ClusterConfiguration, templates: ClusterTemplates) {
        self.configuration = configuration
        self.templates = templates
    }

    func with(_ configuration: ClusterConfiguration) -> ClusterModel {
        var model = self
        model.configuration = configuration
        return model
    }

    /// What tells the state of the cluster and of its backups.
    func questions(of host: Host) -> [any Fact] {
        ClusterQuestions(configuration: configuration).questions(of: host)
            + ClusterQuestions(configuration: configuration).adoptionQuestions(of: host)
            + BackupQuestions(configuration: configuration).questions(of: host)
            + configuration.encryptionQuestions(of: host)
            + (configuration.members.contains { $0.name == host.name }
                ? [RecoveryMarker(configuration.name), MemberMemory()] : [])
    }
}

extension Playbook where Model == ClusterModel {
    public func completed(_ inventory: Inventory) -> Inventory { inventory.completed(with: ClusterDefaults.values) }

    public var hostQuestions: [any Fact] { [HostRelease()] }

    public func model(_ model: ClusterModel, boundTo observed: Observations) -> ClusterModel? {
        let configuration = model.configuration.on(platformIn: observed)
        return configuration.platform == model.configuration.platform ? nil : model.with(configuration)
    }
}

extension ClusterPlaybook {
    public func model(of inventory: Inventory) throws -> ClusterModel { try ClusterModel(inventory) }

    public func hosts(of model: ClusterModel) -> [Host] { model.configuration.hosts }

    public func questions(of host: Host, in configuration: ClusterConfiguration) -> [any Fact] { [] }

    public func confirmation(for cluster: Cluster) throws -> Confirmation? { nil }

    public var issuesCertificates: Bool { true }

    public var separatesEtcd: Bool { false }

    public func isIndivisible(for model: ClusterModel, observed: Observations) -> Bool {
        separatesEtcd && Cluster(model, given: observed).etcdSharesAuthority
    }

    public func questions(of host: Host, in model: ClusterModel) -> [any Fact] {
        model.questions(of: host) + questions(of: host, in: model.configuration)
    }

    public func plays(for model: ClusterModel, observed: Observations) throws -> [Play] {
        if issuesCertificates, let obstacle = model.safe?.obstacle { throw obstacle }
        var cluster = Cluster(model, given: observed)
        cluster.separatesEtcd = separatesEtcd
        try cluster.refuseOtherEncryption(issues: issuesCertificates)
        return try plays(for: cluster)
    }

    public func prepare(_ model: ClusterModel) throws {
        guard issuesCertificates else { return }
        for file in model.safe?.files ?? [] { try file.write() }
    }

    public func confirmation(for model: ClusterModel, observed: Observations) throws -> Confirmation? {
        let cluster = Cluster(model, given: observed)
        try cluster.refuseOtherPasswords()
        return try confirmation(for: cluster)
    }
}

extension Cluster {
    init(_ model: ClusterModel, given observed: Observations) {
        let questions = ClusterQuestions(configuration: model.configuration)
        self.init(
            configuration: model.configuration, state: questions.state(given: observed),
            membership: questions.membership(given: observed), observed: observed, templates: model.templates,
            backupSightings: BackupQuestions(configuration: model.configuration).sightings(given: observed))
        authority = model.safe?.authority
        etcdAuthority = model.safe?.etcdAuthority
        certificatesReplacedBefore = model.safe?.certificatesReplacedBefore
        now = model.now
        madePasswords = model.safe?.made ?? []
        passwordsAreEncrypted = model.safe?.isEncrypted ?? true
    }
}

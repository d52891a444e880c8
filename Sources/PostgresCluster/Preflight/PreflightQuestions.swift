import Engine
import Inventory
import Secrets
import SystemResources

/// What is asked before anything is touched. A host on which all daemons run is asked little; one that is to be set up looks
/// around, which takes a second.
struct PreflightQuestions {
    let configuration: ClusterConfiguration
    /// The packages of a host.
    let packages: @Sendable (Host) -> [String]
    /// Where packages come from when not from repositories of the hosts.
    let supply = PackageSupply.current

    /// What every host is asked.
    func opening(of host: Host) -> [any Fact] {
        [ClockReading(), Listeners()] + units(of: host) + packages(host).map(PackageStatus.init)
            + (isMember(host) && configuration.patroni.watchdog == .required ? [watchdog] : [])
    }

    /// Whether Patroni can have a watchdog: there is one, or the kernel has the module of one. A container has only those
    /// devices that it was given.
    var watchdog: CommandSuccess {
        CommandSuccess("[ -c /dev/watchdog ] || { [ ! -e /run/systemd/container ] && modinfo softdog; }")
    }

    /// What is asked of a host beyond that, as soon as it is known whether all is set up there.
    func more(of host: Host, given observed: Observations) -> [any Fact] {
        let facts = observed[host]
        var questions: [any Fact] = []
        // Who has the address can be told only by all of them.
        if configuration.mayHoldAddress(host.name),
            configuration.addressHolders.contains(where: { isToBeSetUp($0.host, given: observed[$0.host]) })
        {
            questions.append(HostAddresses())
        }
        guard isToBeSetUp(host, given: facts) else { return questions }
        questions += [fitness, FileStatus(configuration.etcdDirectory + "/member")]
        if isMember(host) { questions.append(GeneratedLocales()) }
        if configuration.mayHoldAddress(host.name) { questions.append(networks) }
        questions.append(sounding(of: host, given: facts))
        if let supplied = supplied(to: host, given: facts) { questions.append(supplied) }
        return questions
    }

    /// Whether something of a host does not run, or is not even installed; false while that is not known.
    func isToBeSetUp(_ host: Host, given facts: Facts) -> Bool {
        !missingPackages(of: host, given: facts).isEmpty
            || units(of: host).contains { facts.ifKnown($0).map { $0.active != "active" } ?? false }
    }

    var fitness: HostFitness {
        HostFitness(directory: configuration.postgres.dataDirectory, package: nil)
    }

    var networks: InterfaceNetworks { InterfaceNetworks(interface: configuration.balancing.interface) }

    func sounding(of host: Host, given facts: Facts) -> Sounding {
        var sounding = Sounding(packages: supply == nil ? missingPackages(of: host, given: facts) : [])
        let holdsAddress = facts.ifKnown(UnitStatus("keepalived.service"))?.isRunning == true
        if configuration.mayHoldAddress(host.name), !holdsAddress {
            sounding.interface = configuration.balancing.interface
            sounding.address = configuration.balancing.address
        }
        // HAProxy is there for clients, wherever they are, and exporters for Prometheus; and the packet filters of the cluster itself may not know a new
        // host yet.
        let isFiltered = configuration.system.firewall != nil
        sounding.targets = configuration.nodes.filter { $0.name != host.name }.flatMap { node in
            configuration.daemonPorts(of: node.host)
                .filter { !$0.isForOthersOnly && !(isFiltered && $0.isForClusterOnly) }
                .map { "\(node.address):\($0.port)" }
        }
        if isMember(host), let source = configuration.patroni.standby { sounding.targets.append(source.words) }
        sounding.targets += backupPeers(of: host).map { "\($0.address):22" }
        return sounding
    }

    /// What the host needs of the packages that are sent to it.
    func supplied(to host: Host, given facts: Facts) -> SuppliedPackages? {
        let missing = missingPackages(of: host, given: facts)
        return missing.isEmpty ? nil : supply.map { SuppliedPackages(of: $0, for: missing) }
    }

    /// Those with whom a host talks by SSH when the backups have a host of their own.
    private func backupPeers(of host: Host) -> [Node] {
        guard let keeper = configuration.backups?.host else { return [] }
        if host.name == keeper.name { return configuration.members }
        return isMember(host) ? [keeper] : []
    }

    private func missingPackages(of host: Host, given facts: Facts) -> [String] {
        packages(host).filter { facts.ifKnown(PackageStatus($0)).map { $0.version == nil } ?? false }
    }

    /// The units of the daemons that the host is to have.
    func units(of host: Host) -> [UnitStatus] {
        var units = Set(configuration.daemonPorts(of: host).map(\.unit))
        if configuration.mayHoldAddress(host.name) { units.insert("keepalived.service") }
        return units.sorted().map(UnitStatus.init)
    }

    private func isMember(_ host: Host) -> Bool { configuration.members.contains { $0.name == host.name } }
}

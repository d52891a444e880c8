public import Engine
public import Inventory
import Secrets
import SystemResources

extension Cluster {
    /// Sets what the inventory asks for of the operating system of a host. Its packages are there already.
    ///
    /// - Throws: `Diagnostic` when a setting is wrong.
    @ResourceBuilder
    public func operatingSystem(on host: Host) throws -> [any Resource] {
        let system = configuration.system
        if let name = system.hostNames[host.name] { HostName(name) }
        if !system.hostsEntries.isEmpty {
            HostsEntries("cluster", system.hostsEntries.map(HostsEntries.Entry.init(line:)))
        }
        if let zone = system.timeZone { TimeZone(zone) }
        if !system.locales.isEmpty || system.locale != nil {
            Locales(system.locales, default: system.locale)
        }
        try timeService()
        for parameter in configuration.kernelParameters(of: host) {
            Sysctl(parameter.name, parameter.value)
        }
        if system.makesNoHugePages { TransparentHugePages.off }
        if let limits = system.limits {
            Limits(
                "cluster",
                [
                    .init(limits.user, "nofile", "\(limits.soft)", .soft),
                    .init(limits.user, "nofile", "\(limits.hard)", .hard),
                ])
            // Otherwise what the last session of a user has left of shared memory goes with it.
            Directory("/etc/systemd/logind.conf.d")
            File(Cluster.loginSettings, containing: "[Login]\nRemoveIPC=no\n")
            Service("systemd-logind", restartedBy: [Cluster.loginSettings])
        }
        if let swap = system.swap { Swap(file: swap.path, mebibytes: swap.mebibytes) }
        if !system.nameServers.isEmpty {
            try Block(
                "cluster", in: "/etc/resolv.conf",
                containing: MaskedText(system.nameServers.map { "nameserver \($0)\n" }.joined()), createsFile: true)
        }
        for user in system.sudoUsers {
            File(
                user.path, containing: MaskedText(user.line), mode: 0o440, checkedBy: "visudo --check --quiet --file")
        }
        if !system.schedulers.isEmpty { try schedulers(system.schedulers) }
        for file in system.files {
            DeliveredFile(
                file.destination, from: file.source, owner: file.owner, group: file.group, mode: file.mode)
        }
    }

    private static let loginSettings = "/etc/systemd/logind.conf.d/drover.conf"
    private static let chronySources = "/etc/chrony/sources.d/drover.sources"
    private static let timesyncdSettings = "/etc/systemd/timesyncd.conf.d/drover.conf"

    /// The packages that the operating system's part of a host wants.
    var systemPackages: [String] {
        let system = configuration.system
        var packages = system.timeService.map { [$0.program.package] } ?? []
        if !system.locales.isEmpty || system.locale != nil { packages.append("locales") }
        if system.firewall != nil { packages.append("nftables") }
        if system.rotatesLogs { packages.append("logrotate") }
        if !system.sudoUsers.isEmpty { packages.append("sudo") }
        return packages
    }

    /// The packages that must give way: of two time services each would set the clock.
    var unwantedPackages: [String] {
        guard let wanted = configuration.system.timeService?.program else { return [] }
        return SystemSettings.TimeService.Program.allCases.filter { $0 != wanted }.map(\.package)
    }

    /// What a host is asked to be before its daemons are set up, and what it lets in.
    ///
    /// - Parameter hosts: those that are set up. All hosts of the cluster must let each other in.
    public func systemPlays(on hosts: [Host]) -> [Play] {
        [
            Play("Set up the operating system", on: hosts, tags: ["system"]) { try operatingSystem(on: $0) },
            Play(
                "Filter packets", on: configuration.system.firewall == nil ? [] : configuration.hosts,
                tags: ["firewall"]
            ) { packetFilter(on: $0) },
        ]
    }

    /// The schedulers of disks, now and, by a rule of udev, whenever a disk appears.
    @ResourceBuilder
    private func schedulers(_ schedulers: [SystemSettings.DiskScheduler]) throws -> [any Resource] {
        let rules = schedulers.map { disk in
            #"ACTION=="add|change", KERNEL=="\#(disk.device)", ATTR{queue/scheduler}="\#(disk.scheduler)""#
                + (disk.requests.map { #", ATTR{queue/nr_requests}="\#($0)""# } ?? "") + "\n"
        }
        File("/etc/udev/rules.d/60-drover-scheduler.rules", containing: MaskedText(rules.joined()))
        for disk in schedulers {
            let queue = ShellText.quoting("/sys/block/\(disk.device)/queue")
            let requests: (set: ShellText, test: ShellText) =
                disk.requests.map {
                    (" && echo \($0) >\(queue)/nr_requests", " && [ \"$(cat \(queue)/nr_requests)\" = \($0) ]")
                } ?? ("", "")
            try Command(
                "echo \(quoting: disk.scheduler) >\(queue)/scheduler\(requests.set)",
                called: "scheduler \(disk.scheduler) of \(disk.device)",
                unless: "grep -qF \(quoting: "[\(disk.scheduler)]") \(queue)/scheduler\(requests.test)")
        }
    }

    /// The command of the inventory's own before or after a deployment, which each host of its groups runs once, and again
    /// when it has changed.
    ///
    /// - Parameter command: nil for no play that does anything.
    public func deployCommand(_ command: DeployCommand?) -> Play {
        let hosts = configuration.hosts.filter { host in
            configuration.groups(of: host).contains { command?.groups.contains($0) ?? false }
        }
        let phase = command?.phase ?? ""
        return Play(
            phase == "pre_deploy" ? "Run the command before the deployment" : "Run the command after the deployment",
            on: hosts, tags: [phase]
        ) { _ in
            if let command {
                let mark = ShellText.quoting(command.mark)
                try Command(
                    """
                    timeout \(command.timeout) sh -c \(quoting: command.text)
                    mkdir -p /var/lib/drover/commands
                    printf '%s\\n' \(quoting: command.text) >\(mark)
                    """, called: "\(phase)_command",
                    unless: "[ \"$(cat \(mark))\" = \(quoting: command.text) ]")
            }
        }
    }

    /// Debian's chrony reads the servers of this folder besides its own; so does systemd-timesyncd.
    @ResourceBuilder
    private func timeService() throws -> [any Resource] {
        if let service = configuration.system.timeService {
            switch service.program {
            case .chrony:
                if !service.servers.isEmpty {
                    File(
                        Cluster.chronySources,
                        containing: MaskedText(service.servers.map { "server \($0) iburst\n" }.joined()))
                }
                Service("chrony", restartedBy: service.servers.isEmpty ? [] : [Cluster.chronySources])
            case .timesyncd:
                if !service.servers.isEmpty {
                    Directory("/etc/systemd/timesyncd.conf.d")
                    File(
                        Cluster.timesyncdSettings,
                        containing: MaskedText("[Time]\nNTP=\(service.servers.joined(separator: " "))\n"))
                }
                Service("systemd-timesyncd", restartedBy: service.servers.isEmpty ? [] : [Cluster.timesyncdSettings])
            }
        }
    }
}

extension ClusterConfiguration {
    /// The kernel parameters of a host, of all its groups; of those of one name the last one counts.
    func kernelParameters(of host: Host) -> [SystemSettings.KernelParameter] {
        var parameters: [SystemSettings.KernelParameter] = []
        func add(_ parameter: SystemSettings.KernelParameter) {
            parameters.removeAll { $0.name == parameter.name }
            parameters.append(parameter)
        }
        for group in groups(of: host) { system.kernelParameters[group]?.forEach(add) }
        if let pages = system.hugePages, members.contains(where: { $0.name == host.name }) {
            add(.init(name: "vm.nr_hugepages", value: "\(pages)"))
        }
        return parameters
    }

    /// The customary names of the groups in which a host has a part, those that say more later.
    func groups(of host: Host) -> [String] {
        let names = Set(host.groups)
        let isMember = members.contains { $0.name == host.name }
        return ["etcd_cluster", "balancers", "pgbackrest", "postgres_cluster", "replica", "master"].filter {
            names.contains($0) || (isMember && $0 == "postgres_cluster")
        }
    }
}

extension HostsEntries.Entry {
    /// - Parameter line: an address and its names, separated by blanks.
    fileprivate init(line: String) {
        let words = line.split(separator: " ").map(String.init)
        self.init(words.first ?? "", names: Array(words.dropFirst()))
    }
}

extension SystemSettings.TimeService.Program {
    fileprivate var package: String {
        switch self {
        case .chrony: "chrony"
        case .timesyncd: "systemd-timesyncd"
        }
    }
}

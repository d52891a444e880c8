import Diagnostics
import Inventory
public import YAML

extension SystemSettings.TimeService.Program: YAMLDecodable {}

extension SystemSettings.KernelParameter: YAMLDecodable {
    /// `{ name: vm.swappiness, value: 1 }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a kernel parameter")
        let name: String? = reader.required("name")
        let value: String? = reader.required("value")
        let (parameter, text) = try reader.finish(name, value)
        guard parameter.wholeMatch(of: /[a-z0-9_]+([.][A-Za-z0-9_-]+)+/) != nil else {
            throw Diagnostic(
                "'\(parameter)' is no kernel parameter", at: node.location, remedy: "write it like vm.swappiness")
        }
        guard text.wholeMatch(of: /[!-~]+( [!-~]+)*/) != nil else {
            throw Diagnostic(
                "'\(text)' cannot be \(parameter)", at: node.location, remedy: "separate its fields by single spaces")
        }
        self.init(name: parameter, value: text)
    }
}

/// One of `locale_gen`, `{ language_country: de_DE, encoding: UTF-8 }`.
private struct LocaleName: YAMLDecodable, Equatable {
    let name: String

    init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a locale")
        let language: String? = reader.required("language_country")
        let encoding: String? = reader.required("encoding")
        let (first, second) = try reader.finish(language, encoding)
        name = "\(first).\(second)"
    }
}

extension SystemSettings {
    /// The groups that hosts have their kernel parameters and ports by.
    fileprivate static let groups = [
        "etcd_cluster", "master", "replica", "postgres_cluster", "balancers", "pgbackrest",
    ]
    /// A group of postgresql_cluster that no cluster of Drover has hosts in.
    fileprivate static let unused = "consul_instances"

    /// - Parameters:
    ///   - directory: of the inventory, where relative paths begin.
    ///   - sharedBuffers: of a member, in bytes.
    init(_ variables: inout Variables, hosts: [Host], directory: String, sharedBuffers: Int) {
        self.init()
        for host in hosts {
            hostNames[host.name] = variables.optional("hostname", of: host)
        }
        hostsEntries = variables.optional("etc_hosts") ?? []
        timeZone = variables.text("timezone")
        let generated: [LocaleName] = variables.optional("locale_gen") ?? []
        locales = generated.map(\.name)
        locale = variables.optional("locale")
        let program: TimeService.Program = variables.optional("ntp_service") ?? .chrony
        let servers: [String] = variables.optional("ntp_servers") ?? []
        if variables.isOn("ntp_enabled") { timeService = TimeService(program: program, servers: servers) }
        readKernelParameters(&variables)
        makesNoHugePages = variables.isOn("disable_thp")
        if variables.isOn("huge_pages_auto_conf") { hugePages = SystemSettings.hugePages(for: sharedBuffers) }
        let user = variables.word("limits_user", default: "postgres")
        let (soft, hard) = (variables.optional("soft_nofile") ?? 65_536, variables.optional("hard_nofile") ?? 200_000)
        if variables.isOn("set_limits") { limits = SessionLimits(user: user, soft: soft, hard: hard) }
        let file = variables.optional("swap_file_path") ?? "/swapfile"
        let size = variables.optional("swap_file_size_mb") ?? 4096
        if variables.isOn("swap_file_create") { swap = SwapFile(path: file, mebibytes: size) }
        let ports: [String: [Int]] = variables.optional("firewall_allowed_tcp_ports_for") ?? [:]
        if variables.isOn("firewall_enabled_at_boot") {
            firewall = Firewall(ports: ports, rules: variables.firewallRules())
        } else {
            variables.ignore("firewall_additional_rules_for")
        }
        rotatesLogs = variables.isOn("logrotate_enabled")
        nameServers = variables.optional("nameservers") ?? []
        readSchedulers(&variables)
        readSudoUsers(&variables)
        files = variables.copiedFiles(in: directory)
        commandBefore = variables.deployCommand("pre_deploy")
        commandAfter = variables.deployCommand("post_deploy")
        check(&variables, swapFile: file, ports: ports)
    }

    private mutating func readSchedulers(_ variables: inout Variables) {
        guard variables.isOn("set_scheduler") else {
            variables.ignore("scheduler")
            return
        }
        schedulers = variables.optional("scheduler") ?? []
        variables.reportRepeated(schedulers.map(\.device), in: "scheduler")
        for name in schedulers.map(\.scheduler) where !DiskScheduler.known.contains(name) {
            variables.diagnostics.report(
                "the kernel has no scheduler '\(name)'", at: variables.location(of: "scheduler"),
                remedy: DiskScheduler.successors[name].map { "write '\($0)'" }
                    ?? "write one of \(DiskScheduler.known.joined(separator: ", "))")
        }
    }

    /// postgresql_cluster ships `postgres` with all rights, which would give an intruder of the database the host, too.
    private mutating func readSudoUsers(_ variables: inout Variables) {
        let given: [SudoUser] = variables.optional("sudo_users") ?? []
        sudoUsers = given.filter { $0.name != "postgres" }
        variables.reportRepeated(given.map(\.name), in: "sudo_users")
        guard sudoUsers.count < given.count else { return }
        variables.notes.append(
            Diagnostic(
                "the user 'postgres' gets no sudo: Drover's daemons need none", at: variables.location(of: "sudo_users")
            ))
    }

    private mutating func readKernelParameters(_ variables: inout Variables) {
        let given: [String: [KernelParameter]] = variables.optional("sysctl_conf") ?? [:]
        variables.checkGroups(given.keys, of: "sysctl_conf")
        guard variables.isOn("sysctl_set") else { return }
        kernelParameters = SystemSettings.customaryParameters
        for (group, parameters) in given { kernelParameters[group, default: []] += parameters }
    }

    private func check(_ variables: inout Variables, swapFile: String, ports: [String: [Int]]) {
        func report(_ sentence: String, _ variable: String, _ remedy: String) {
            variables.diagnostics.report(sentence, at: variables.location(of: variable), remedy: remedy)
        }
        for entry in hostsEntries {
            let words = entry.split(separator: " ")
            if words.count < 2 || !Node.isAddress(String(words[0])) || entry.contains(where: \.isNewline) {
                report(
                    "'\(entry)' is no line of /etc/hosts", "etc_hosts",
                    "write an address and its names: '10.0.0.9 store'")
            }
        }
        for (host, name) in hostNames where name.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?/) == nil {
            report("'\(name)' of \(host) is no host name", "hostname", "use letters, digits, '-' and '.'")
        }
        for (name, hosts) in Dictionary(grouping: hostNames.keys, by: { hostNames[$0] ?? "" }) where hosts.count > 1 {
            report(
                "\(hosts.sorted().joined(separator: " and ")) would have one host name, '\(name)'", "hostname",
                "set it for each host")
        }
        for name in [locale].compactMap(\.self) + locales where name.wholeMatch(of: /[A-Za-z0-9_.@-]+/) == nil {
            report("'\(name)' is no locale", "locale_gen", "write it like de_DE and UTF-8")
        }
        if let timeZone, timeZone.wholeMatch(of: /[A-Za-z0-9_+-]+(\/[A-Za-z0-9_+-]+)*/) == nil {
            report("'\(timeZone)' is no time zone", "timezone", "write it like Europe/Berlin")
        }
        for server in nameServers where !Node.isAddress(server) {
            report(
                "'\(server)' is no address of a name server", "nameservers", "write an IPv4 address, such as 10.0.0.53")
        }
        for server in timeService?.servers ?? [] where server.wholeMatch(of: /[A-Za-z0-9.:-]+/) == nil {
            report("'\(server)' is no time server", "ntp_servers", "name it, or write its address")
        }
        if swapFile.wholeMatch(of: /(\/[A-Za-z0-9_.-]+)+/) == nil {
            report("'\(swapFile)' cannot be the swap file", "swap_file_path", "write an absolute path without blanks")
        }
        variables.checkGroups(ports.keys, of: "firewall_allowed_tcp_ports_for")
        for port in ports.values.joined() { variables.check(port: port, of: "firewall_allowed_tcp_ports_for") }
    }
}

extension Variables {
    /// Whether a switch is on that is off unless the inventory says otherwise.
    fileprivate mutating func isOn(_ name: String) -> Bool { optional(name) ?? false }

    /// `firewall_additional_rules_for`, by group.
    fileprivate mutating func firewallRules() -> [String: [String]] {
        let name = "firewall_additional_rules_for"
        let given: [String: [FirewallRule]] = optional(name) ?? [:]
        checkGroups(given.keys, of: name)
        return given.mapValues { $0.compactMap(\.text) }
    }

    /// Reports names that are no groups of a cluster.
    mutating func checkGroups(
        _ names: some Collection<String>, of variable: String, among groups: [String] = SystemSettings.groups
    ) {
        for name in names.sorted() where !groups.contains(name) && name != SystemSettings.unused {
            diagnostics.report(
                "'\(name)' in \(variable) is no group of a cluster", at: location(of: variable),
                remedy: Suggestion.remedy(for: name, among: groups) ?? "write one of \(groups.joined(separator: ", "))")
        }
    }
}

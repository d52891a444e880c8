import YAML

/// The facts of a host, by Ansible's names.
///
/// Expressions of an inventory may take it. As long as no host was asked, they take ``standIn``: so types are checked before
/// any contact.
public struct HostFacts: Sendable, Equatable {
    public var hostName = "host"
    public var domain = ""
    /// The interface of the default route, and the address there with its prefix length.
    public var interface = "eth0"
    public var address = "192.0.2.1"
    public var prefix = 24
    public var gateway = "192.0.2.254"
    /// In MiB, as Ansible counts.
    public var memory = 4096
    public var swap = 0
    public var processors = 2
    /// The identifier in os-release(5), such as `debian`, the version, such as `12`, and the code name.
    public var distribution = "debian"
    public var version = "12"
    public var codeName = "bookworm"
    public var kernel = "6.1.0"
    public var architecture = "x86_64"
    public var timeZone = "UTC"
    /// All global IPv4 addresses.
    public var addresses: [String] = ["192.0.2.1"]

    public init() {}

    /// A host of the usual kind, for checks before any contact.
    static let standIn = HostFacts()

    /// A fact by its name; nil for one that is not asked for.
    subscript(_ name: String) -> JinjaValue? {
        switch name {
        case "ansible_hostname": .string(String(hostName.prefix { $0 != "." }))
        case "ansible_nodename": .string(hostName)
        case "ansible_fqdn": .string(domain.isEmpty ? hostName : "\(hostName).\(domain)")
        case "ansible_domain": .string(domain)
        case "ansible_default_ipv4":
            .map([
                ("interface", .string(interface)), ("address", .string(address)), ("prefix", .string("\(prefix)")),
                ("gateway", .string(gateway)), ("alias", .string(interface)),
            ])
        case "ansible_all_ipv4_addresses": .list(addresses.map(JinjaValue.string))
        case "ansible_memtotal_mb": .int(memory)
        case "ansible_swaptotal_mb": .int(swap)
        case "ansible_processor_vcpus", "ansible_processor_count", "ansible_processor_nproc",
            "ansible_processor_cores":
            .int(processors)
        case "ansible_distribution": .string(distribution.prefix(1).uppercased() + distribution.dropFirst())
        case "ansible_distribution_version": .string(version)
        case "ansible_distribution_major_version": .string(String(version.prefix { $0 != "." }))
        case "ansible_distribution_release", "ansible_lsb_codename": .string(codeName)
        case "ansible_os_family": .string("Debian")
        case "ansible_pkg_mgr": .string("apt")
        case "ansible_system": .string("Linux")
        case "ansible_service_mgr": .string("systemd")
        case "ansible_kernel": .string(kernel)
        case "ansible_architecture", "ansible_machine": .string(architecture)
        case "ansible_date_time": .map([("tz", .string(timeZone))])
        default: nil
        }
    }
}

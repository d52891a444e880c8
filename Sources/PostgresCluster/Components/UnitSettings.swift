public import Drover
public import Inventory
import SystemResources

/// What goes into the drop-in of a daemon's unit.
protocol UnitSettings: ConfigurationFile {
    /// The name of the unit, without `.service`.
    static var unit: String { get }
}

extension UnitSettings {
    static var template: String { "\(unit).service.conf" }
    static var path: String { "/etc/systemd/system/\(unit).service.d/drover.conf" }
}

struct EtcdUnitSettings: UnitSettings {
    static let unit = "etcd"

    var initialFile = EtcdInitialCluster.path

    enum CodingKeys: String, CodingKey {
        case initialFile = "initial_file"
    }
}

struct PatroniUnitSettings: UnitSettings {
    static let unit = "patroni"

    /// What has Patroni take its next turn at once.
    let waking: String
}

struct PgBouncerUnitSettings: UnitSettings {
    static let unit = "pgbouncer"
}

struct KeepalivedUnitSettings: UnitSettings {
    static let unit = "keepalived"

    let address: String
    let prefix: Int
    let interface: String
}

extension Cluster {
    /// Sets up the units of the hosts' daemons. It comes before the packages, so that systemd reads a new unit along with
    /// its settings, instead of all units once more for each daemon.
    public func unitSettings(on hosts: [Host]) -> Play {
        Play("Set up the units", on: hosts, tags: ["etcd", "patroni", "pgbouncer", "keepalived"]) {
            try unitSettings(on: $0)
        }
    }

    @ResourceBuilder
    func unitSettings(on host: Host) throws -> [any Resource] {
        let settings = unitSettings(of: host)
        for settings in settings {
            try UnitDropIn(type(of: settings).unit, "drover", containing: try templates.render(settings))
        }
        UnitsRead(settings.map { type(of: $0).unit })
    }

    private func unitSettings(of host: Host) -> [any UnitSettings] {
        var settings: [any UnitSettings] = []
        if etcdNode(host) != nil { settings.append(EtcdUnitSettings()) }
        if let node = member(host) {
            settings += [PatroniUnitSettings(waking: waking(node)), PgBouncerUnitSettings()]
        }
        if let address = configuration.balancing.address, configuration.mayHoldAddress(host.name) {
            let balancing = configuration.balancing
            settings.append(
                KeepalivedUnitSettings(address: address, prefix: balancing.prefix, interface: balancing.interface))
        }
        return settings
    }
}

import Engine
import Inventory
import SystemResources

/// What goes into the drop-in of a daemon's unit.
protocol UnitSettings: ConfigurationFile {
    /// The name of the unit, without `.service`.
    static var unit: String { get }
    /// The package that brings the unit.
    static var package: String { get }
}

extension UnitSettings {
    static var package: String { unit }
    static var template: String { "\(unit).service.conf" }
    static var path: String { "/etc/systemd/system/\(unit).service.d/drover.conf" }
}

struct EtcdUnitSettings: UnitSettings {
    static let unit = "etcd"
    static let package = "etcd-server"

    var initialFile = EtcdInitialCluster.path

    enum CodingKeys: String, CodingKey {
        case initialFile = "initial_file"
    }
}

struct PatroniUnitSettings: UnitSettings {
    static let unit = "patroni"

    /// What has Patroni take its next turn at once.
    let waking: String
    /// Whether Patroni gets the watchdog of the host.
    let usesWatchdog: Bool

    enum CodingKeys: String, CodingKey {
        case waking
        case usesWatchdog = "uses_watchdog"
    }
}

struct PgBouncerUnitSettings: UnitSettings {
    static let unit = "pgbouncer"

    let files: Int
    /// The hard limit: systemd's own default, unless that is too low.
    let mostFiles: Int
    var pause = PoolerPause.mark

    init(files: Int) {
        self.files = files
        mostFiles = max(files, 524_288)
    }

    enum CodingKeys: String, CodingKey {
        case files, pause
        case mostFiles = "most_files"
    }
}

struct KeepalivedUnitSettings: UnitSettings {
    static let unit = "keepalived"

    let address: String
    let prefix: Int
    let interface: String
}

extension Cluster {
    /// The settings of the units that a host gets with its packages. They come before these: systemd then reads them along
    /// with the units, and not all units once more for each daemon.
    @ResourceBuilder
    func settingsOfComingUnits(on host: Host) throws -> [any Resource] {
        for settings in unitSettings(of: host) where isComing(settings, to: host) { try dropIn(settings) }
    }

    /// The settings of a unit that a host has.
    @ResourceBuilder
    func settings<Settings: UnitSettings>(of unit: Settings.Type, on host: Host) throws -> [any Resource] {
        for settings in unitSettings(of: host) where settings is Settings && !isComing(settings, to: host) {
            try dropIn(settings)
        }
    }

    private func dropIn(_ settings: some UnitSettings) throws -> UnitDropIn {
        try UnitDropIn(type(of: settings).unit, "drover", containing: try templates.render(settings))
    }

    private func isComing(_ settings: some UnitSettings, to host: Host) -> Bool {
        observed[host].ifKnown(PackageStatus(type(of: settings).package)).map { $0.version == nil } ?? false
    }

    private func unitSettings(of host: Host) -> [any UnitSettings] {
        var settings: [any UnitSettings] = []
        if etcdNode(host) != nil { settings.append(EtcdUnitSettings()) }
        if let node = member(host) {
            settings += [
                PatroniUnitSettings(
                    waking: waking(node).reveal(), usesWatchdog: configuration.patroni.watchdog != .off),
                PgBouncerUnitSettings(files: configuration.poolerFiles),
            ]
        }
        let balancing = configuration.balancing
        if let address = balancing.address, configuration.mayHoldAddress(host.name) {
            settings.append(
                KeepalivedUnitSettings(address: address, prefix: balancing.prefix, interface: balancing.interface))
        }
        return settings
    }
}

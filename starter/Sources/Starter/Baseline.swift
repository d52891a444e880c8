import Drover

/// What every host has: it says at the login whose it is, and its journal does not fill the disk.
struct Baseline: HostsPlaybook {
    static let name = "baseline"
    static let abstract = "Say at the login whose host it is, and keep the journal small."

    func plays(for inventory: Inventory) throws -> [Play] {
        let motd = try TemplateFile<Settings>(Installation.path(of: "templates/motd"))
        let journal = try TemplateFile<Settings>(Installation.path(of: "templates/journald.conf"))
        return [
            Play("Prepare the hosts", on: inventory.hosts) { host in
                let settings = try Settings(of: host)
                Packages(["curl"])
                File("/etc/motd", containing: try motd.render(settings))
                Directory("/etc/systemd/journald.conf.d")
                File("/etc/systemd/journald.conf.d/size.conf", containing: try journal.render(settings))
                Service("systemd-journald", restartedBy: ["/etc/systemd/journald.conf.d/size.conf"])
            }
        ]
    }
}

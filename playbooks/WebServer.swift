import ArgumentParser
import Diagnostics
import Engine
import Inventory
import Secrets
import SystemResources
import Templates
import YAML

/// A playbook for plain hosts, without any cluster: those of the group `webservers` get the settings of every host, and
/// serve a page. A sample to begin from; its inventory is `inventory/hosts-sample.yml`.
struct WebServer: Playbook {
    static let name = "web-server"
    static let abstract = "Set up the hosts of the group 'webservers', and serve a page there."

    @Option(help: "The time zone of the hosts.")
    var timeZone = "Etc/UTC"

    /// What the inventory says.
    struct Site: Sendable {
        let hosts: [Host]
        let title: String
        /// The public keys of those who may become root, by their names.
        let admins: [String: String]
        let page: Template
    }

    /// What goes into `templates/web-page.html`.
    struct Page: TemplateContext {
        let title: String
        let host: String
    }

    static func reads(_ variable: String) -> Bool { ["site_title", "admins"].contains(variable) }

    func model(of inventory: Inventory) throws -> Site {
        var variables = Variables(of: inventory)
        let title: String? = variables.required("site_title")
        let admins: [String: String] = variables.optional("admins") ?? [:]
        variables.reportUnknown()
        let hosts = inventory.hosts(in: "webservers")
        if hosts.isEmpty {
            variables.diagnostics.report("no host is in the group 'webservers'", remedy: "name one there")
        }
        try variables.diagnostics.throwIfAny()
        let path = "\(Installation.folder ?? ".")/templates/web-page.html"
        let page = try Template(TextFile.read(path), file: path)
        try page.check(for: Page.self)
        return Site(hosts: hosts, title: title ?? "", admins: admins, page: page)
    }

    func hosts(of site: Site) -> [Host] { site.hosts }

    func plays(for site: Site, observed: Observations) throws -> [Play] {
        [
            Play("Install the packages", on: site.hosts) { _ in Packages(["nginx", "nftables", "sudo"]) },
            Play("Set up the hosts", on: site.hosts) { _ in
                baseSettings
                admins(site.admins)
            },
            Play("Serve the page", on: site.hosts, .rolling) { host in
                try website(site, on: host)
                firewall
                try Timer(
                    "old-web-logs", at: ["*-*-* 03:15"], within: 600, as: "www-data",
                    running: "/usr/bin/find /var/log/nginx -name *.gz -mtime +30 -delete")
            },
        ]
    }

    @ResourceBuilder
    private var baseSettings: [any Resource] {
        TimeZone(timeZone)
        // The longest queue of clients that nobody has accepted yet.
        Sysctl("net.core.somaxconn", "4096")
        Limits("admins", [.init("@admins", "nproc", "4096")])
    }

    @ResourceBuilder
    private func admins(_ keys: [String: String]) -> [any Resource] {
        Group("admins")
        File(
            "/etc/sudoers.d/admins", containing: "%admins ALL=(ALL:ALL) NOPASSWD: ALL\n", mode: 0o440,
            checkedBy: "visudo --check --quiet --file")
        for (name, key) in keys.sorted(by: { $0.key < $1.key }) {
            User(login: name, groups: ["admins"])
            AuthorizedKeys(of: name, [AuthorizedKeys.Key(key)], exclusively: true)
        }
    }

    @ResourceBuilder
    private func website(_ site: Site, on host: Host) throws -> [any Resource] {
        Directory("/srv/www")
        File("/srv/www/index.html", containing: try site.page.render(Page(title: site.title, host: host.name)))
        File(
            "/etc/nginx/sites-enabled/default",
            containing: """
                server {
                    listen 80 default_server;
                    root /srv/www;
                }

                """)
        Service("nginx", reloadedBy: ["/etc/nginx/sites-enabled/default"])
    }

    private var firewall: NftablesTable {
        NftablesTable(
            "web",
            containing: """
                chain input {
                    type filter hook input priority filter; policy drop;
                    ct state established,related accept
                    iif lo accept
                    meta l4proto { icmp, ipv6-icmp } accept
                    tcp dport { 22, 80 } accept
                }
                """)
    }
}

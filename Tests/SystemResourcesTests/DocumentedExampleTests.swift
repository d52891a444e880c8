import ArgumentParser
import Drover
import Inventory
import Secrets
import SystemResources
import Testing

// The example of the first page.
private struct Baseline: HostsPlaybook {
    static let name = "baseline"
    static let abstract = "Keep the journal small."

    func plays(for inventory: Inventory) throws -> [Play] {
        let limits = "/etc/systemd/journald.conf.d/size.conf"
        return [
            Play("Prepare the hosts", on: inventory.hosts) { _ in
                File(limits, containing: "[Journal]\nSystemMaxUse=100M\n")
                Service("systemd-journald", restartedBy: [limits])
            }
        ]
    }
}

/// The examples in the documentation of the resources: `make lint` finds one that is missing here.
@Suite("Documented examples")
struct DocumentedExampleTests {
    @ResourceBuilder
    private func examples() throws -> [any Resource] {
        try Absent("/etc/cron.d/old-backup")
        try AbsentLines(matching: "^PermitRootLogin", in: "/etc/ssh/sshd_config", checkedBy: "sshd -t -f")
        try Archive(
            "wal-g", from: .url("https://mirror.example/wal-g.tar.gz", sha256: String(repeating: "0", count: 64)),
            into: "/opt/wal-g")
        AuthorizedKeys(of: "ann", ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 ann@desk"], exclusively: true)
        try Block(
            "replication", in: "/etc/hosts.allow", containing: "sshd: 10.0.0.0/8", createsFile: true)
        try Command("locale-gen", unless: "locale -a | grep -q '^de_DE.utf8$'")
        try CronEntry("rotate-web-logs", at: "15 3 * * *", as: "www-data", running: "/usr/local/bin/rotate-web-logs")
        Directory("/srv/www", owner: "www-data", group: "www-data", mode: 0o750)
        File(
            "/etc/sudoers.d/admins", containing: "%admins ALL=(ALL:ALL) ALL\n", mode: 0o440,
            checkedBy: "visudo --check --quiet --file")
        Group("admins")
        HostName("pg1")
        HostsEntries("cluster", [.init("10.0.0.11", "pg1.example.com", "pg1"), .init("10.0.0.12", "pg2")])
        KernelModule("softdog")
        Limits("admins", [.init("@admins", "nproc", "4096")])
        try Line("PasswordAuthentication no", in: "/etc/ssh/sshd_config", replacing: "^#?PasswordAuthentication")
        try Link("/usr/local/bin/wal-g", to: "/opt/tools/wal-g")
        Locales(["en_US.UTF-8", "de_DE.UTF-8"], default: "en_US.UTF-8")
        Mount("/var/lib/postgresql", from: "/dev/disk/by-label/data", type: "xfs", options: ["noatime"])
        NftablesTable(
            "web",
            containing: """
                chain input {
                    type filter hook input priority filter; policy drop;
                    ct state established,related accept
                    iif lo accept
                    tcp dport { 22, 80 } accept
                }
                """)
        NoNftablesTable("old-web")
        Packages([Package("postgresql-15", version: "15.*", held: true), "chrony", .absent("ntp")])
        Service("haproxy", restartedBy: ["/etc/default/haproxy"], reloadedBy: ["/etc/haproxy/haproxy.cfg"])
        StoppedService("apt-daily.timer", atBoot: .masked)
        Swap(file: "/swapfile", mebibytes: 2048)
        Sysctl("net.core.somaxconn", "4096")
        TimeZone("Europe/Berlin")
        try Timer(
            "old-web-logs", at: ["*-*-* 03:15"], within: 600, as: "www-data",
            running: "/usr/bin/find /var/log/nginx -name *.gz -mtime +30 -delete")
        TransparentHugePages.off
        try UnitDropIn("haproxy", "limits", containing: "[Service]\nLimitNOFILE=65536\n")
        User(login: "ann", groups: .atLeast(["admins"]))
    }

    /// These read files that only their authors have.
    @ResourceBuilder
    private func examplesWithFiles() throws -> [any Resource] {
        try AptRepository(
            "pgdg", at: ["https://apt.postgresql.org/pub/repos/apt"], suites: ["bookworm-pgdg"], components: ["main"],
            signedBy: try AptKey(file: "keys/pgdg.asc"))
        try DeliveredFile("/opt/tools/wal-g", from: LocalFile("files/wal-g"), mode: 0o755)
    }

    @Test("each example is accepted, and is a resource of its own")
    func names() throws {
        let names = try examples().map(\.name)
        #expect(Set(names).count == names.count)
        #expect(throws: (any Error).self) { try examplesWithFiles() }
    }
}

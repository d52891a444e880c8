import ArgumentParser
import Engine
import Inventory
import Secrets
import SystemResources

/// Every resource that is about files, packages and what is made of files, on the first host.
struct FileResources: Playbook {
    static let name = "file-resources"
    static let abstract = "Declare files, packages, archives, commands and timers."

    @Option(help: "The folder with key.asc, the key of the package repository, and tool.tar.gz.")
    var folder: String

    func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }
    func hosts(of hosts: [Host]) -> [Host] { hosts }

    func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
        [
            Play("Install packages", on: hosts) { _ in try packages() },
            Play("Write files", on: hosts) { _ in try files() },
            Play("Run things", on: hosts) { _ in try units() },
        ]
    }

    @ResourceBuilder
    private func packages() throws -> [any Resource] {
        try AptRepository(
            "drover-test", at: ["file:///srv/repository"], suites: ["./"], components: [],
            signedBy: AptKey(file: "\(folder)/key.asc"))
        Packages(["curl", Package("drover-sample", version: "1.*", held: true), .absent("less", purged: true)])
    }

    @ResourceBuilder
    private func files() throws -> [any Resource] {
        let directory = "/srv/it's a test"
        Directory(directory)
        File("\(directory)/whole", containing: "whole\n")
        try Link("\(directory)/link", to: "whole")
        try Absent("/srv/old", recursively: true)
        try Absent("/srv/old-file")
        try Line(
            "PermitRootLogin prohibit-password", in: "/etc/ssh/sshd_config", replacing: "^#?PermitRootLogin ",
            checkedBy: "sshd -t -f")
        try Line("UseDNS no", in: "/etc/ssh/sshd_config", at: .after("^#?UseDNS"), checkedBy: "sshd -t -f")
        try Block("test", in: "/etc/ssh/sshd_config", containing: "Match User nobody\n    X11Forwarding no\n")
        try Line(secretLine, in: "\(directory)/secrets", createsFile: true)
        try Archive("tool", from: .controller("\(folder)/tool.tar.gz"), into: "/opt/pushed", stripping: 1)
        try Archive(
            "tool",
            from: .url("file:///srv/tool.tar.gz", sha256: ArchiveSource.controller("\(folder)/tool.tar.gz").digest),
            into: "/opt/fetched")
    }

    @ResourceBuilder
    private func units() throws -> [any Resource] {
        let unit = "/etc/systemd/system/sample.service"
        let limits = try UnitDropIn("sample", "limits", containing: "[Service]\nLimitNOFILE=4321\n")
        File(unit, containing: "[Service]\nExecStart=/bin/sleep infinity\n\n[Install]\nWantedBy=multi-user.target\n")
        limits
        Service("sample", restartedBy: [unit, limits.path])
        try Command("mkdir /srv/made", creates: "/srv/made")
        try Command(
            "echo \(quoting: Self.secret) >/srv/said", called: "say it",
            unless: "grep -q \(quoting: Self.secret) /srv/said")
        try Command("rm /srv/too-much", onlyIf: "[ -e /srv/too-much ]", writes: ["/srv/too-much"])
        Directory("/etc/cron.d")
        try CronEntry("drover-test", at: "*/5 * * * *", as: "nobody", running: "echo $(date +%F) >/dev/null")
        try Timer("drover-test", at: ["*-*-* 03:15"], within: 60, as: "nobody", running: "/bin/true")
    }

    private static let secret = Secret("lab-file-secret")

    private var secretLine: MaskedText {
        var text: MaskedText = "token="
        text.append(Self.secret)
        return text
    }
}

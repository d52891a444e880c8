import ArgumentParser
import Engine
import Inventory
import Secrets
import SystemResources

/// Every resource that is about a host as a whole, on all hosts of the inventory.
struct HostSettings: Playbook {
    static let name = "host-settings"
    static let abstract = "Users, keys, kernel, locales, time zone, names, mounts, swap, packet filter."

    @Flag(help: "Take back what can be taken back.")
    var undo = false

    @Option(help: "A further rule of the packet filter.")
    var rule = ""

    func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }
    func hosts(of model: [Host]) -> [Host] { model }

    func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
        if undo { return [Play("Take back", on: hosts) { _ in undoing }] }
        return [
            Play("Install", on: hosts) { _ in Packages(["chrony", "nftables"]) },
            Play("Set up", on: hosts) { _ in
                people
                system
                network
                storage
            },
        ]
    }

    @ResourceBuilder
    private var people: [any Resource] {
        Group("admins", gid: 2000)
        Group("web", isSystem: true)
        User(
            login: "ann", uid: 2001, groups: .atLeast(["admins"]), comment: "Ann",
            password: Secret("$6$salt$Qcanary"))
        User(login: "bob", group: "admins", groups: .exactly(["adm"]), shell: "/bin/sh", isLocked: true)
        User("app", group: "web", home: "/srv/app", makesHome: true)
        AuthorizedKeys(of: "ann", [.init(Self.key("ann"), options: ["restrict", "pty"])])
        AuthorizedKeys(of: "ann", [.init(Self.key("ann2"))])
        AuthorizedKeys(of: "bob", [.init(Self.key("bob"))], exclusively: true)
    }

    private static func key(_ name: String) -> String { "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA\(name) \(name)@desk" }

    @ResourceBuilder
    private var system: [any Resource] {
        StoppedService("chrony")
        StoppedService("systemd-tmpfiles-clean.timer", atBoot: .masked)
        Sysctl("net.ipv4.ip_forward", "1")
        Sysctl("vm.swappiness", "1")
        KernelModule("no_such_module")
        Limits("app", [.init("app", "nofile", "4096"), .init("@admins", "nproc", "unlimited", .soft)])
        Locales(["en_US.UTF-8", "de_DE.UTF-8"], default: "en_US.UTF-8")
        Locales(["fr_FR.UTF-8"])
        TimeZone("Europe/Berlin")
        HostName("lab-host")
    }

    @ResourceBuilder
    private var network: [any Resource] {
        HostsEntries("self", [.init("127.0.1.1", "lab-host.example", "lab-host")])
        HostsEntries("neighbours", [.init("10.70.0.1", "controller")])
        NftablesTable(
            "test",
            containing: """
                set blocked { type ipv4_addr; elements = { 192.0.2.2, 192.0.2.1 } }

                chain input {
                    type filter hook input priority filter; policy accept;
                    ip saddr @blocked counter drop
                    tcp dport { 22, 80 } accept
                    \(rule)
                }
                """)
    }

    @ResourceBuilder
    private var storage: [any Resource] {
        Mount("/srv/memory", from: "tmpfs", type: "tmpfs", options: ["size=1m", "nodev"])
        Mount("/srv/two words", from: "/srv/memory", type: "none", options: ["bind"])
        Mount("/srv/later", from: "tmpfs", type: "tmpfs", options: ["noauto"], now: false)
        Swap(file: "/swapfile", mebibytes: 16)
    }

    @ResourceBuilder
    private var undoing: [any Resource] {
        AuthorizedKeys(of: "bob", [], exclusively: true)
        HostsEntries("neighbours", [])
        Mount.none(at: "/srv/two words")
        Mount.none(at: "/srv/memory")
        Mount.none(at: "/srv/later")
        Swap.off
    }
}

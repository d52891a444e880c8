import ArgumentParser
import Engine
import Inventory
import Secrets
import SystemResources

/// Two hundred resources a host, of the kinds that hosts have most of.
struct ManyResources: Playbook {
    static let name = "many-resources"
    static let abstract = "Two hundred resources a host."

    func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }

    func hosts(of hosts: [Host]) -> [Host] { hosts }

    func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
        [
            Play("Write many", on: hosts) { host in
                Packages(["curl", "openssh-server"])
                Directory("/etc/drover-many")
                for number in 1...30 { Directory("/etc/drover-many/\(number)") }
                for number in 1...160 {
                    let text = "File \(number) of \(host.name).\n\(String(repeating: "Some more text. ", count: 20))\n"
                    File("/etc/drover-many/\(number % 30 + 1)/file-\(number).conf", containing: MaskedText(text))
                }
                for service in ["ssh", "systemd-journald", "dbus", "systemd-logind"] { Service(service) }
                for number in 1...4 { Sysctl("net.ipv4.conf.default.\(Self.settings[number - 1])", "0") }
            }
        ]
    }

    private static let settings = ["accept_redirects", "secure_redirects", "send_redirects", "accept_source_route"]
}

import Testing

import Diagnostics
import Inventory
import TestSupport
import YAML

@Suite("Inventory")
struct InventoryTests {
    private static let cluster = """
        all:
          vars:
            cluster_vip: 10.0.0.100
            ansible_user: root
            level: all
          children:
            postgres_cluster:
              vars: {level: parent, parent_only: 1}
              children:
                master:
                  hosts:
                    pg1:
                      ansible_host: 10.0.0.1
                      level: host
                replica:
                  vars: {level: child}
                  hosts:
                    pg[2:3]:
                      ansible_port: 2222
            etcd_cluster:
              hosts:
                pg1:
                pg2:
              vars:
                ansible_python_interpreter: /usr/bin/python3
                ansible_ssh_private_key_file: keys/id_ed25519
                ansible_ssh_common_args: -o UserKnownHostsFile=known_hosts
                ansible_become: false
            balancers:
        """

    private static func load(_ files: [String: String], extra: [String] = []) throws -> Inventory {
        let directory = try TemporaryDirectory(files)
        return try Inventory.load(file: "\(directory.path)/hosts.yml", extraVariables: extra)
    }

    @Test("gives hosts in the order of the file, with their groups and connections")
    func hosts() throws {
        let inventory = try Self.load(["hosts.yml": Self.cluster])
        #expect(inventory.hosts.map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(inventory.hosts.map(\.address) == ["10.0.0.1", "pg2", "pg3"])
        #expect(inventory.hosts.map(\.port) == [nil, 2222, 2222])
        #expect(inventory.hosts.map(\.user) == ["root", "root", "root"])
        #expect(inventory.hosts.map(\.connection.keyFile) == ["keys/id_ed25519", "keys/id_ed25519", nil])
        #expect(inventory.hosts.map(\.connection.knownHostsFile) == ["known_hosts", "known_hosts", nil])
        #expect(inventory.hosts[0].groups == ["etcd_cluster", "postgres_cluster", "master"])
        #expect(inventory.hosts(in: "postgres_cluster").map(\.name) == ["pg1", "pg2", "pg3"])
        #expect(inventory.hosts(in: "etcd_cluster").map(\.name) == ["pg1", "pg2"])
        #expect(inventory.hosts(in: "all").count == 3)
        #expect(inventory.hosts(in: "balancers").isEmpty && inventory.hosts(in: "nobody").isEmpty)
        #expect(
            inventory.groups.map(\.name)
                == ["all", "ungrouped", "postgres_cluster", "master", "replica", "etcd_cluster", "balancers"])
        #expect(inventory.groups[2].children == ["master", "replica"])
    }

    @Test("puts the hosts of no group into 'ungrouped'")
    func ungrouped() throws {
        let inventory = try Self.load([
            "hosts.yml": """
            all: {hosts: {h1: , h2: }}
            ungrouped: {hosts: {h3: , h4: }, vars: {x: 1}}
            web: {hosts: {h2: , h4: }}
            """
        ])
        #expect(inventory.hosts.map(\.groups) == [["ungrouped"], ["web"], ["ungrouped"], ["web"]])
        #expect(inventory.hosts(in: "ungrouped").map(\.name) == ["h1", "h3"])
        #expect(inventory.groups.map(\.hosts) == [["h1", "h2"], ["h3", "h1"], ["h2", "h4"]])
        #expect(inventory.groups[0].children == ["ungrouped", "web"])
        #expect(inventory.hosts.map { $0.variables.count } == [1, 0, 1, 0])
    }

    @Test("takes a chain of 5,000 groups")
    func chain() throws {
        let names = (0..<5_000).map { "g\($0): {children: {g\($0 + 1): }}\n" }
        let inventory = try Self.load(["hosts.yml": names.joined() + "g5000: {hosts: {h: }}\n"])
        #expect(inventory.hosts[0].groups.first == "g0" && inventory.hosts[0].groups.count == 5_001)
    }

    @Test("lets the nearest variable win, and says where it is from")
    func precedence() throws {
        let inventory = try Self.load(["hosts.yml": Self.cluster])
        let levels = inventory.hosts.map { $0.variables["level"] }
        #expect(levels.map { $0?.node.text } == ["host", "child", "child"])
        #expect(levels.map { $0?.origin } == [.host("pg1"), .group("replica"), .group("replica")])
        #expect(levels[1]?.location.line == 16)
        #expect(inventory.hosts[0].variables.keys.sorted() == ["cluster_vip", "level", "parent_only"])
        #expect(inventory.declaredVariables.filter { $0.name == "level" }.count == 4)
    }

    @Test("lets group_vars, host_vars and --extra-vars override the file")
    func files() throws {
        let inventory = try Self.load(
            [
                "hosts.yml":
                    "all: {children: {a: {hosts: {h1: {x: host}, h2: }, vars: {x: a, y: a, z: a}}, b: {hosts: {h2: }, vars: {x: b}}}}",
                "group_vars/all.yml": "y: all file\nz: all file\n",
                "group_vars/a.yaml": "z: a file\n",
                "host_vars/h1.yml": "w: h1 file\nansible_port: 23\n",
            ], extra: ["w=extra", "list=[1, 2]", "empty="])
        let first = inventory.hosts[0].variables.mapValues(\.node.text)
        #expect(first["x"] == "host" && first["y"] == "all file" && first["z"] == "a file" && first["w"] == "extra")
        #expect(inventory.hosts[0].port == 23)
        #expect(inventory.hosts[1].variables["x"]?.node.text == "b")
        #expect(try inventory.hosts[1].variables["list"].map { try [Int](yaml: $0.node) } == [1, 2])
        #expect(inventory.hosts[1].variables["empty"]?.node.isNull == true)
    }

    @Test("accepts the same said twice")
    func repeated() throws {
        let inventory = try Self.load([
            "hosts.yml": """
            a: {hosts: {h: {ansible_host: 10.0.0.1, x: 1}}}
            b: {hosts: {h: {ansible_host: 10.0.0.1, y: 2}}}
            """
        ])
        #expect(inventory.hosts.count == 1)
        #expect(inventory.hosts[0].variables.keys.sorted() == ["x", "y"])
    }

    @Test("lets the variables of a host be read into a type, strictly")
    func reader() throws {
        let inventory = try Self.load([
            "hosts.yml": """
            all: {vars: {owner: ops, ownr: x}}
            a: {hosts: {h1: {size: big}, h2: {owner: dev, size: 2}}}
            b: {hosts: {h3: }, vars: {owner: null}}
            """
        ])
        func read(_ host: Host) throws -> String {
            var variables = host.reader()
            let owner: String? = variables.required("owner")
            let size: Int = variables.optional("size") ?? 1
            return try "\(variables.finish(owner)) \(size)"
        }
        var diagnostics = Diagnostics()
        for host in inventory.hosts { _ = try diagnostics.collect { try read(host) } }
        #expect(
            diagnostics.all.map { $0.description.split(separator: "/").last ?? "" } == [
                "hosts.yml:2:24: expected a whole number, found the string 'big'",
                "hosts.yml:1:26: unknown variable 'ownr' in a host; did you mean 'owner'?",
                "hosts.yml:3:34: expected a string, found nothing; write '' for the empty one",
            ])
    }

    @Test("names the host that lacks a variable")
    func missing() throws {
        let inventory = try Self.load(["hosts.yml": "a: {hosts: {h1: }}"])
        var variables = inventory.hosts[0].reader()
        let owner: String? = variables.required("owner")
        let error = #expect(throws: Diagnostics.self) { try variables.finish(owner) }
        #expect(
            error?.description.hasSuffix(
                "hosts.yml:1:13: the variable 'owner' of a host is missing; set it there or under the vars of a group")
                == true)
    }

    @Test("of 1000 hosts and 4000 variables takes little time")
    func speed() throws {
        let variables = (0..<4000).map { "    v\($0): \($0)\n" }.joined()
        let text = "a:\n  hosts:\n    h[1:1000]:\nb:\n  hosts:\n    g:\n  vars:\n" + variables
        let clock = ContinuousClock()
        var count = 0
        let time = try clock.measure { count = try Self.load(["hosts.yml": text]).hosts.count }
        #expect(count == 1001)
        #expect(time < .seconds(2), "\(time)")
    }
}

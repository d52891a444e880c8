/// The addresses of a lab. Every lab has the same, for each lives in namespaces of its own.
enum LabNetwork {
    /// The controller, which is also the package repository.
    static let controllerAddress = "10.70.0.1"
    static let prefixLength = 24
    static let bridge = "lab"

    static let maximumHosts = 200

    /// The address of the host with a number, counted from 1: 10.70.0.11 to 10.70.0.90, and from 10.70.0.121 on. In between
    /// are addresses for balancers to hold.
    static func address(ofHost number: Int) -> String { "10.70.0.\((number <= 80 ? 10 : 40) + number)" }

    /// What `ip -n CONTROLLER -batch -` reads to make the bridge.
    static let bridgeCommands = """
        link set lo up
        link add \(bridge) type bridge
        address add \(controllerAddress)/\(prefixLength) dev \(bridge)
        link set \(bridge) up

        """

    /// What `ip -n CONTROLLER -batch -` reads to plug a cable from the bridge into the host's namespace.
    static func cableCommands(port: String, namespace: String, address: String) -> String {
        let hardware = hardwareAddress(ofHostAt: address)
        return "link add \(port) master \(bridge) up type veth peer name eth0 address \(hardware) netns \(namespace)\n"
    }

    /// The address of a host's network card. It stays the host's: peers remember it for longer than it takes to boot.
    static func hardwareAddress(ofHostAt address: String) -> String {
        let bytes = address.split(separator: ".").compactMap { UInt8($0) }
        return "02:00:" + bytes.map(Hexadecimal.digits).joined(separator: ":")
    }

    /// What `ip -n HOST -batch -` reads to make a host reachable.
    static func hostCommands(address: String) -> String {
        """
        link set lo up
        address add \(address)/\(prefixLength) dev eth0
        link set eth0 up
        route add default via \(controllerAddress)

        """
    }

    /// A socket of the bridge into which the cable of one host goes.
    struct Port: Equatable {
        /// The name of the host.
        var name: String
        /// Whether the cable is in.
        var isConnected: Bool
    }

    /// The ports of the bridge, from what `ip -brief link show type veth` prints:
    /// `pg1@if2  UP  5e:1c:…  <BROADCAST,MULTICAST,UP,LOWER_UP>`.
    static func ports(in listing: String) -> [Port] {
        listing.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard let name = fields.first?.split(separator: "@").first, let flags = fields.last else { return nil }
            return Port(name: String(name), isConnected: flags.split { "<,>".contains($0) }.contains("UP"))
        }
    }
}

/// A node as the templates name it, on the other nodes.
struct Peer: Codable {
    let name: String
    let address: String

    init(name: String, address: String) {
        self.name = name
        self.address = address
    }

    init(_ node: Node) {
        self.init(name: node.name, address: node.address)
    }
}

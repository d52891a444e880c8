/// A node as the templates name it, on the other nodes.
struct Peer: Codable {
    let name: String
    let address: String

    init(_ node: Node) {
        name = node.name
        address = node.address
    }
}

/// The same text for equal values, in whatever order a set or a dictionary holds them.
enum Essence {
    static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            return mirror.children.first.map { text(of: $0.value) } ?? "nil"
        case .set, .dictionary:
            return "{" + mirror.children.map { text(of: $0.value) }.sorted().joined(separator: ",") + "}"
        case .collection, .tuple:
            return "[" + mirror.children.map { text(of: $0.value) }.joined(separator: ",") + "]"
        case .struct, .class, .enum:
            let children = mirror.children.map { "\($0.label ?? ""):\(text(of: $0.value))" }
            // A case without values has no children; its name is its description.
            return children.isEmpty ? "\(value)" : "(\(children.joined(separator: ",")))"
        default:
            return String(reflecting: value)
        }
    }
}

import Diagnostics
import YAML

/// A value of an INI inventory.
struct INIValue {
    let node: YAMLNode
    /// Whether it is a text for Ansible, although readers may take it for what it looks like: `true`, `0644`, `'22'`.
    let isText: Bool

    init(_ text: String, at location: SourceLocation) {
        switch PythonLiteral(text) {
        case nil: (node, isText) = (INIValue.textNode(text, at: location), true)
        case .string(let text): (node, isText) = (INIValue.textNode(text, at: location), true)
        case let literal?: (node, isText) = (INIValue.node(literal, at: location), false)
        }
    }

    /// What has the look of nothing in YAML is a text all the same.
    private static func textNode(_ text: String, at location: SourceLocation) -> YAMLNode {
        let plain = YAMLNode(.scalar(text, plain: true), at: location)
        return plain.isNull ? YAMLNode(.scalar(text, plain: false), at: location) : plain
    }

    private static func node(_ literal: PythonLiteral, at location: SourceLocation) -> YAMLNode {
        let value: YAMLNode.Value =
            switch literal {
            case .none: .scalar("null", plain: true)
            case .bool(let bool): .scalar("\(bool)", plain: true)
            case .number(let text): .scalar(text, plain: true)
            case .string(let text): .scalar(text, plain: false)
            case .list(let elements): .sequence(elements.map { node($0, at: location) })
            case .dictionary(let entries):
                .mapping(entries.map { (node($0.key, at: location), node($0.value, at: location)) })
            }
        return YAMLNode(value, at: location)
    }
}

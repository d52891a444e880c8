import Inventory
import YAML

/// When the value of a foreign variable asks for nothing that Drover would not do anyway. What is empty never does.
struct ForeignDemand: Sendable {
    /// In words, for the reference page.
    let words: String
    /// The switch that must be on for the variable to mean anything.
    var part: String?
    private let isHarmless: @Sendable (YAMLNode) -> Bool

    private init(_ words: String, part: String? = nil, isHarmless: @escaping @Sendable (YAMLNode) -> Bool) {
        self.words = words
        self.part = part
        self.isHarmless = isHarmless
    }

    func isNothing(_ node: YAMLNode) -> Bool { node.isEmpty || isHarmless(node) }

    /// Whatever it is: it says how something is done, and Drover does it in its own way.
    static let nothing = ForeignDemand("any value") { _ in true }

    /// Unless it is off.
    static let more = ForeignDemand("false") { $0.isOff }

    /// At these values alone; case does not count.
    static func nothing(at values: [String]) -> ForeignDemand {
        ForeignDemand(values.joined(separator: ", ")) { node in
            node.tag == nil && values.contains { $0.lowercased() == node.text?.lowercased() }
        }
    }

    /// A list whose elements are all of these names.
    static func nothing(atNames names: [String]) -> ForeignDemand {
        ForeignDemand("a list of \(names.joined(separator: ", ")) alone") { node in
            node.elements?.allSatisfy { $0["name"]?.text.map(names.contains) ?? false } ?? false
        }
    }

    /// A list in which this key of every element is empty.
    static func nothing(without key: String) -> ForeignDemand {
        ForeignDemand("a list without '\(key)'") { node in
            node.elements?.allSatisfy { $0[key]?.isEmpty ?? true } ?? false
        }
    }

    /// Any value as long as this switch is off or empty.
    static func nothingWhile(off part: String) -> ForeignDemand {
        ForeignDemand("any value while '\(part)' is off", part: part) { $0.isOff }
    }
}

extension YAMLNode {
    /// Whether nothing is in it.
    var isEmpty: Bool {
        guard tag == nil else { return false }
        switch value {
        case .scalar(let text, _): return isNull || text.allSatisfy(\.isWhitespace)
        case .sequence(let elements): return elements.allSatisfy(\.isEmpty)
        case .mapping(let entries): return entries.allSatisfy(\.value.isEmpty)
        }
    }

    /// Whether it is empty, or one of the words by which something is switched off.
    var isOff: Bool { isEmpty || (tag == nil && ["false", "no", "off", "none"].contains(text?.lowercased())) }

    fileprivate var elements: [YAMLNode]? {
        if tag == nil, case .sequence(let elements) = value { elements } else { nil }
    }
}

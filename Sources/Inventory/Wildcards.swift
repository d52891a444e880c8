/// A pattern for names: `*` stands for any characters, `?` for one, `[a-c]` and `[!a-c]` for one of some.
///
/// Source: Python's fnmatch, by which Ansible matches.
struct Wildcards: Sendable {
    private enum Element {
        case anything
        case one
        case oneOf([ClosedRange<Character>], negated: Bool)
        case character(Character)
    }

    private let elements: [Element]

    init(_ pattern: String) throws(HostRange.Fault) {
        var elements: [Element] = []
        var rest = pattern[...]
        while let character = rest.popFirst() {
            switch character {
            case "*": elements.append(.anything)
            case "?": elements.append(.one)
            case "[": elements.append(try Wildcards.choice(&rest))
            default: elements.append(.character(character))
            }
        }
        self.elements = elements
    }

    /// Reads what follows a `[`.
    private static func choice(_ rest: inout Substring) throws(HostRange.Fault) -> Element {
        let isNegated = rest.first == "!"
        if isNegated { rest.removeFirst() }
        // A ']' that comes first is one of the characters.
        guard let end = rest.dropFirst().firstIndex(of: "]") else {
            throw HostRange.Fault(message: "has a '[' without a ']'")
        }
        var characters = rest[..<end]
        rest = rest[rest.index(after: end)...]
        guard !characters.contains(":") else {
            throw HostRange.Fault(
                message: "has neither characters nor numbers between its brackets",
                remedy: "write [a-c] for characters, or at the end [FIRST:LAST] or [FIRST:] for the hosts of a group")
        }
        var ranges: [ClosedRange<Character>] = []
        while let first = characters.popFirst() {
            let isRange = characters.first == "-" && characters.count > 1
            let last = isRange ? characters.dropFirst().first ?? first : first
            if isRange { characters = characters.dropFirst(2) }
            if first <= last { ranges.append(first...last) }
        }
        return .oneOf(ranges, negated: isNegated)
    }

    func match(_ name: String) -> Bool { Wildcards.match(elements[...], name[...]) }

    /// Remembers only the last star, from which it goes on when something does not fit: never slow.
    private static func match(_ elements: ArraySlice<Element>, _ name: Substring) -> Bool {
        var elements = elements
        var name = name
        var afterStar: (elements: ArraySlice<Element>, name: Substring)?
        while let character = name.first {
            if case .anything? = elements.first {
                elements.removeFirst()
                afterStar = (elements, name.dropFirst())
            } else if let element = elements.first, accepts(element, character) {
                elements.removeFirst()
                name.removeFirst()
            } else if let star = afterStar {
                (elements, name) = star
                afterStar = (star.elements, star.name.dropFirst())
            } else {
                return false
            }
        }
        return elements.allSatisfy { if case .anything = $0 { true } else { false } }
    }

    private static func accepts(_ element: Element, _ character: Character) -> Bool {
        switch element {
        case .anything, .one: true
        case .oneOf(let ranges, let isNegated): ranges.contains { $0.contains(character) } != isNegated
        case .character(let wanted): wanted == character
        }
    }
}

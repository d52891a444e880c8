import Diagnostics

/// Builds the node tree from libyaml's events.
struct Composer {
    private let parser: EventParser
    private var diagnostics = Diagnostics()
    /// The anchored nodes, and how many nodes each stands for.
    private var anchors: [String: (node: YAMLNode, size: Int)] = [:]
    /// How many nodes the document has, with every alias written out.
    private var size = 0

    /// More than any file of people needs, and little enough to walk over: a bomb of aliases stops here.
    private static let greatestSize = 1_000_000
    /// Bounds the recursion here and in what walks over the tree.
    private static let greatestDepth = 100

    init(_ parser: EventParser) {
        self.parser = parser
    }

    mutating func compose() throws(Diagnostics) -> YAMLNode? {
        var root: YAMLNode?
        do {
            root = try document()
        } catch {
            diagnostics.report(error)
        }
        try diagnostics.throwIfAny()
        return root
    }

    private mutating func document() throws(Diagnostic) -> YAMLNode? {
        var root: YAMLNode?
        while true {
            let event = try parser.next()
            switch event.kind {
            case .streamEnd: return root
            case .documentStart:
                guard root == nil else {
                    throw Diagnostic(
                        "a second document begins here", at: event.location, remedy: "keep one document in a file")
                }
                root = try node(try parser.next(), depth: 0)
            default: break
            }
        }
    }

    private mutating func node(_ event: Event, depth: Int) throws(Diagnostic) -> YAMLNode {
        guard depth < Self.greatestDepth else {
            throw Diagnostic("nested more than \(Self.greatestDepth) levels deep", at: event.location)
        }
        let before = size
        let value: YAMLNode.Value
        switch event.kind {
        case .alias(let name):
            guard let anchor = anchors[name] else {
                throw Diagnostic("there is no anchor '&\(name)' before this alias", at: event.location)
            }
            try grow(by: anchor.size, at: event.location)
            return anchor.node
        case .scalar(let text, let plain): value = .scalar(text, plain: plain)
        case .sequenceStart: value = .sequence(try elements(depth: depth + 1))
        default: value = .mapping(try entries(depth: depth + 1))
        }
        try grow(by: 1, at: event.location)
        let node = YAMLNode(value, at: event.location, tag: event.tag)
        if let anchor = event.anchor { anchors[anchor] = (node, size - before) }
        return node
    }

    private mutating func grow(by count: Int, at location: SourceLocation) throws(Diagnostic) {
        size += count
        guard size <= Self.greatestSize else {
            throw Diagnostic("the document has more than \(Self.greatestSize) values", at: location)
        }
    }

    private mutating func elements(depth: Int) throws(Diagnostic) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let event = try parser.next()
            if case .sequenceEnd = event.kind { return elements }
            elements.append(try node(event, depth: depth))
        }
    }

    private mutating func entries(depth: Int) throws(Diagnostic) -> [(key: YAMLNode, value: YAMLNode)] {
        var entries: [(key: YAMLNode, value: YAMLNode)] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try parser.next()
            if case .mappingEnd = event.kind { return entries }
            let key = try node(event, depth: depth)
            let value = try node(try parser.next(), depth: depth)
            check(key, at: event.location, lines: &lines)
            entries.append((key, value))
        }
    }

    private mutating func check(_ key: YAMLNode, at location: SourceLocation, lines: inout [String: Int]) {
        guard case .scalar(let text, let plain) = key.value, key.tag == nil else {
            diagnostics.report("a key must be a string, found \(key)", at: location)
            return
        }
        if plain && text == "<<" {
            diagnostics.report("merge keys are not supported", at: location, remedy: "write the entries out")
        }
        if let line = lines[text] {
            diagnostics.report("duplicate key '\(text)'", at: location, remedy: "it is already on line \(line)")
        }
        lines[text] = location.line
    }
}

/// The methods of Python's texts and mappings that inventories use.
enum JinjaMethods {
    static func call(_ name: String, of value: JinjaValue, _ call: JinjaCall) throws(JinjaFault) -> JinjaValue {
        switch value.settled {
        case .undefined(let fault): throw fault
        case .string(let text): return try method(name, of: text, call)
        case .map(let entries):
            switch name {
            case "get": return value.element(try call.required(0)) ?? call.value(1) ?? .none
            case "keys": return .list(entries.map { .string($0.key) })
            case "values": return .list(entries.map(\.value))
            case "items": return .list(entries.map { .list([.string($0.key), $0.value]) })
            default: break
            }
        default: break
        }
        throw JinjaFault("\(value.kind) has no method '\(name)'", remedy: "write the value itself")
    }

    private static func method(
        _ name: String, of text: String, _ call: JinjaCall
    ) throws(JinjaFault) -> JinjaValue {
        let whole = JinjaValue.string(text)
        switch name {
        case "lower", "upper", "capitalize", "title", "split": return try JinjaFilters.apply(name, to: whole, call)
        case "replace": return try JinjaFilters.apply(name, to: whole, call)
        case "join": return try JinjaFilters.apply("join", to: try call.required(0), JinjaCall(positional: [whole]))
        case "strip", "lstrip", "rstrip":
            let signs = try call.text(0)
            var rest = text[...]
            func isTrimmed(_ character: Character) -> Bool { signs?.contains(character) ?? character.isWhitespace }
            if name != "rstrip" { rest = rest.drop(while: isTrimmed) }
            if name != "lstrip" { while let last = rest.last, isTrimmed(last) { rest.removeLast() } }
            return .string(String(rest))
        case "startswith": return .bool(text.hasPrefix(try call.required(0).text()))
        case "endswith": return .bool(text.hasSuffix(try call.required(0).text()))
        case "splitlines": return .list(text.split(whereSeparator: \.isNewline).map { .string(String($0)) })
        case "isdigit": return .bool(!text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber })
        case "count": return .int(text.ranges(of: try call.required(0).text()).count)
        default:
            throw JinjaFault("a text has no method '\(name)'", remedy: "use a filter, or write the value itself")
        }
    }
}

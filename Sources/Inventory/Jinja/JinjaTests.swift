/// The tests of Jinja and of Ansible that inventories use.
///
/// Sources: Jinja 3.1, tests.py; ansible-core 2.19, plugins/test/core.py and mathstuff.py.
enum JinjaTests {
    static func holds(_ name: String, of value: JinjaValue, _ call: JinjaCall) throws(JinjaFault) -> Bool {
        switch name {
        case "defined": return !value.isUndefined
        case "undefined": return value.isUndefined
        default: break
        }
        if case .undefined(let fault) = value { throw fault }
        if let kind = isOfKind(name, value) { return kind }
        switch name {
        case "true": return value.settled.isTruth(true)
        case "false": return value.settled.isTruth(false)
        case "truthy": return try value.truth()
        case "falsy": return !(try value.truth())
        case "even", "odd", "divisibleby":
            guard let number = value.int else { throw JinjaFault("\(value.kind) is no whole number") }
            let divisor = name == "divisibleby" ? try call.int(0) ?? 1 : 2
            guard divisor != 0 else { throw JinjaFault("nothing can be divided by 0") }
            return (number % divisor == 0) == (name != "odd")
        case "lower": return try value.text() == value.text().lowercased()
        case "upper": return try value.text() == value.text().uppercased()
        case "in": return try JinjaOperator.contains(value, in: try call.required(0))
        case "contains": return try JinjaOperator.contains(try call.required(0), in: value)
        case "eq", "equalto", "==", "sameas": return value == (try call.required(0))
        case "ne", "!=": return value != (try call.required(0))
        case "lt", "lessthan": return try value.isLess(than: try call.required(0))
        case "gt", "greaterthan": return try call.required(0).isLess(than: value)
        case "le": return !(try call.required(0).isLess(than: value))
        case "ge": return !(try value.isLess(than: try call.required(0)))
        case "match": return try JinjaPattern(try call.required(0).text()).matches(atStartOf: try value.text())
        case "search", "regex":
            return try JinjaPattern(try call.required(0).text()).firstMatch(in: try value.text()) != nil
        case "version", "version_compare":
            return try LooseVersion.holds(
                try value.text(), try call.text(1, "operator") ?? "eq", try call.required(0).text())
        case "subset", "issubset":
            let others = try call.required(0).elements()
            return try value.elements().allSatisfy(others.contains)
        case "superset", "issuperset":
            let own = try value.elements()
            return try call.required(0).elements().allSatisfy(own.contains)
        default: throw JinjaFault("the test '\(name)' is not known here", remedy: "write the value itself")
        }
    }

    private static func isOfKind(_ name: String, _ value: JinjaValue) -> Bool? {
        switch (name, value.settled) {
        case ("none", .none), ("boolean", .bool), ("integer", .int), ("float", .double), ("string", .string),
            ("mapping", .map), ("number", .int), ("number", .double), ("number", .bool), ("sequence", .list),
            ("sequence", .string), ("sequence", .map), ("iterable", .list), ("iterable", .string),
            ("iterable", .map):
            true
        case ("none", _), ("boolean", _), ("integer", _), ("float", _), ("string", _), ("mapping", _),
            ("number", _), ("sequence", _), ("iterable", _):
            false
        default: nil
        }
    }
}

extension JinjaValue {
    var isUndefined: Bool {
        if case .undefined = self { true } else { false }
    }

    fileprivate func isTruth(_ expected: Bool) -> Bool {
        if case .bool(let truth) = self { truth == expected } else { false }
    }
}

/// Versions as `is version` compares them: numbers by their values, letters by the alphabet.
///
/// Source: ansible-core 2.19, module_utils/compat/version.py, `LooseVersion`.
private enum LooseVersion {
    private enum Part: Equatable {
        case number(Int)
        case letters(String)
    }

    private static func parts(of text: String) -> [Part] {
        text.matches(of: /[0-9]+|[a-z]+/).map { Int($0.output).map(Part.number) ?? .letters(String($0.output)) }
    }

    static func holds(_ version: String, _ sign: String, _ other: String) throws(JinjaFault) -> Bool {
        let (left, right) = (parts(of: version), parts(of: other))
        let isLess = try precedes(left, right)
        let isEqual = left == right
        switch sign {
        case "==", "=", "eq": return isEqual
        case "!=", "<>", "ne": return !isEqual
        case "<", "lt": return isLess
        case "<=", "le": return isLess || isEqual
        case ">", "gt": return !isLess && !isEqual
        case ">=", "ge": return !isLess
        default: throw JinjaFault("'\(sign)' compares no versions", remedy: "write one of ==, !=, <, <=, >, >=")
        }
    }

    private static func precedes(_ left: [Part], _ right: [Part]) throws(JinjaFault) -> Bool {
        for (one, other) in zip(left, right) where one != other {
            switch (one, other) {
            case (.number(let one), .number(let other)): return one < other
            case (.letters(let one), .letters(let other)): return one < other
            default: throw JinjaFault("the versions cannot be compared")
            }
        }
        return left.count < right.count
    }
}

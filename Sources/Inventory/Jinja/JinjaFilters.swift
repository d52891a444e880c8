import Diagnostics

/// The filters of Jinja and of Ansible that inventories use.
///
/// Sources: Jinja 3.1, filters.py; ansible-core 2.19, plugins/filter/core.py and mathstuff.py.
enum JinjaFilters {
    typealias Filter = @Sendable (JinjaValue, JinjaCall) throws(JinjaFault) -> JinjaValue

    static let all: [String: Filter] = {
        var filters = texts.merging(lists) { $1 }
        filters.merge(numbers) { $1 }
        for (alias, name) in ["d": "default", "count": "length", "e": "escape"] { filters[alias] = filters[name] }
        return filters
    }()

    static func apply(
        _ name: String, to value: JinjaValue, _ call: JinjaCall
    ) throws(JinjaFault) -> JinjaValue {
        guard let filter = all[name] else {
            throw JinjaFault(
                "the filter '\(name)' is not known here",
                remedy: Suggestion.remedy(for: name, among: all.keys) ?? "write the value itself")
        }
        if case .undefined(let fault) = value, name != "default", name != "d" { throw fault }
        return try filter(value, call)
    }

    private static let numbers: [String: Filter] = [
        "int": { value, call throws(JinjaFault) in
            let base = try call.int(1, "base") ?? 10
            let otherwise = call.value(0, "default") ?? .int(0)
            switch value.settled {
            case .int(let number): return .int(number)
            case .bool(let truth): return .int(truth ? 1 : 0)
            case .double(let number): return Int(exactly: number.rounded(.towardZero)).map(JinjaValue.int) ?? otherwise
            case .string(let text):
                let digits = text.filter { !$0.isWhitespace && $0 != "_" }
                if (2...36).contains(base), let number = Int(digits, radix: base) { return .int(number) }
                let number = Double(digits).flatMap { Int(exactly: $0.rounded(.towardZero)) }
                return number.map(JinjaValue.int) ?? otherwise
            default: return otherwise
            }
        },
        "float": { value, call throws(JinjaFault) in
            let otherwise = call.value(0, "default") ?? .double(0)
            if let number = value.number { return .double(number) }
            guard case .string(let text) = value.settled else { return otherwise }
            return Double(text.filter { !$0.isWhitespace }).map(JinjaValue.double) ?? otherwise
        },
        "abs": { value, _ throws(JinjaFault) in
            switch value.settled {
            case .int(let number): return .int(abs(number))
            case .double(let number): return .double(abs(number))
            default: throw JinjaFault("\(value.kind) has no absolute value")
            }
        },
        "round": { value, call throws(JinjaFault) in
            guard let number = value.number else { throw JinjaFault("\(value.kind) cannot be rounded") }
            let isWhole = value.int != nil
            let places = try call.int(0, "precision") ?? 0
            let factor = (0..<abs(places)).reduce(1.0) { factor, _ in factor * 10 }
            let scaled = places < 0 ? number / factor : number * factor
            let rule: FloatingPointRoundingRule
            switch try call.text(1, "method") ?? "common" {
            case "common": rule = .toNearestOrEven
            case "ceil": rule = .up
            case "floor": rule = .down
            default: throw JinjaFault("the method of 'round' is common, ceil or floor")
            }
            let rounded = scaled.rounded(rule)
            let result = places < 0 ? rounded * factor : rounded / factor
            return isWhole ? Int(exactly: result).map(JinjaValue.int) ?? .double(result) : .double(result)
        },
        "bool": { value, _ throws(JinjaFault) in
            switch value.settled {
            case .none: return .none
            case .bool(let truth): return .bool(truth)
            case .string(let text):
                return .bool(["yes", "on", "1", "true", "t", "y"].contains(text.lowercased()))
            default: return .bool(value.number == 1)
            }
        },
        "default": { value, call throws(JinjaFault) in
            let otherwise = call.value(0, "default_value") ?? .string("")
            if case .undefined = value { return otherwise }
            guard try call.truth(1, "boolean") else { return value }
            return try value.truth() ? value : otherwise
        },
        "mandatory": { value, _ throws(JinjaFault) in value },
        "ternary": { value, call throws(JinjaFault) in
            if case .none = value.settled, let otherwise = call.value(2, "none_val") { return otherwise }
            return try value.truth() ? try call.required(0, "true_val") : try call.required(1, "false_val")
        },
        "type_debug": { value, _ throws(JinjaFault) in
            switch value.settled {
            case .bool: return .string("bool")
            case .int: return .string("int")
            case .double: return .string("float")
            case .list: return .string("list")
            case .map: return .string("dict")
            case .none: return .string("NoneType")
            default: return .string("str")
            }
        },
    ]
}

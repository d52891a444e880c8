extension JinjaFilters {
    /// Those that take or make lists.
    static let lists: [String: Filter] = [
        "length": { value, _ throws(JinjaFault) in .int(try value.elements().count) },
        "list": { value, _ throws(JinjaFault) in .list(try value.elements()) },
        "first": { value, _ throws(JinjaFault) in
            try value.elements().first ?? .undefined(JinjaFault("the first element of nothing is asked for"))
        },
        "last": { value, _ throws(JinjaFault) in
            try value.elements().last ?? .undefined(JinjaFault("the last element of nothing is asked for"))
        },
        "reverse": { value, _ throws(JinjaFault) in
            if case .string(let text) = value.settled { return .string(String(text.reversed())) }
            return .list(try value.elements().reversed())
        },
        "join": { value, call throws(JinjaFault) in
            let elements = try attribute(try call.text(1, "attribute"), of: try value.elements())
            var texts: [String] = []
            for element in elements { texts.append(try element.text()) }
            return .string(texts.joined(separator: try call.text(0, "d") ?? ""))
        },
        "unique": { value, call throws(JinjaFault) in
            let respectsCase = try call.truth(0, "case_sensitive")
            var seen: [JinjaValue] = []
            return .list(
                try value.elements().filter { element in
                    var key = element
                    if !respectsCase, case .string(let text) = element.settled { key = .string(text.lowercased()) }
                    defer { seen.append(key) }
                    return !seen.contains(key)
                })
        },
        "sort": { value, call throws(JinjaFault) in
            let elements = try value.elements()
            let keys = try attribute(try call.text(2, "attribute"), of: elements)
            let respectsCase = try call.truth(1, "case_sensitive")
            guard try call.truth(0, "reverse") else {
                return .list(try sorted(keys, respectsCase: respectsCase).map { elements[$0] })
            }
            // Equal ones keep their order, also then.
            let order = try sorted(keys.reversed(), respectsCase: respectsCase).reversed()
            return .list(order.map { elements[elements.count - 1 - $0] })
        },
        "min": { value, call throws(JinjaFault) in
            let elements = try value.elements()
            guard let least = try sorted(elements).first else { throw JinjaFault("nothing has no least element") }
            return elements[least]
        },
        "max": { value, call throws(JinjaFault) in
            let elements = try value.elements()
            guard let greatest = try sorted(elements).last else {
                throw JinjaFault("nothing has no greatest element")
            }
            // Of several that are equal Python takes the first.
            return elements.first { $0 == elements[greatest] } ?? elements[greatest]
        },
        "sum": { value, call throws(JinjaFault) in
            var sum = call.value(1, "start") ?? .int(0)
            for element in try attribute(try call.text(0, "attribute"), of: try value.elements()) {
                sum = try JinjaOperator.plus.apply(sum, element)
            }
            return sum
        },
        "flatten": { value, call throws(JinjaFault) in
            .list(try flat(try value.elements(), levels: try call.int(0, "levels") ?? Int.max))
        },
        "union": { value, call throws(JinjaFault) in
            .list(unique(try value.elements() + (try call.required(0).elements())))
        },
        "intersect": { value, call throws(JinjaFault) in
            let others = try call.required(0).elements()
            return .list(unique(try value.elements()).filter(others.contains))
        },
        "difference": { value, call throws(JinjaFault) in
            let others = try call.required(0).elements()
            return .list(unique(try value.elements()).filter { !others.contains($0) })
        },
        "symmetric_difference": { value, call throws(JinjaFault) in
            let (own, others) = (unique(try value.elements()), unique(try call.required(0).elements()))
            return .list(own.filter { !others.contains($0) } + others.filter { !own.contains($0) })
        },
        "map": { value, call throws(JinjaFault) in
            let elements = try value.elements()
            if let name = call.named["attribute"] {
                return .list(try attribute(try name.text(), of: elements, default: call.named["default"]))
            }
            var result: [JinjaValue] = []
            for element in elements {
                result.append(try apply(try call.required(0).text(), to: element, call.rest))
            }
            return .list(result)
        },
        "select": { value, call throws(JinjaFault) in .list(try chosen(value, call, expecting: true)) },
        "reject": { value, call throws(JinjaFault) in .list(try chosen(value, call, expecting: false)) },
        "selectattr": { value, call throws(JinjaFault) in
            .list(try chosen(value, call.rest, by: try call.required(0).text(), expecting: true))
        },
        "rejectattr": { value, call throws(JinjaFault) in
            .list(try chosen(value, call.rest, by: try call.required(0).text(), expecting: false))
        },
        "combine": { value, call throws(JinjaFault) in
            guard case .map(var entries) = value.settled else { throw JinjaFault("\(value.kind) is no mapping") }
            for other in call.positional {
                guard case .map(let more) = other.settled else { throw JinjaFault("\(other.kind) is no mapping") }
                for entry in more {
                    if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                        entries[index] = entry
                    } else {
                        entries.append(entry)
                    }
                }
            }
            return .map(entries)
        },
        "dict2items": { value, _ throws(JinjaFault) in
            guard case .map(let entries) = value.settled else { throw JinjaFault("\(value.kind) is no mapping") }
            return .list(entries.map { .map([("key", .string($0.key)), ("value", $0.value)]) })
        },
        "items2dict": { value, _ throws(JinjaFault) in
            var entries: [(key: String, value: JinjaValue)] = []
            for element in try value.elements() {
                guard let key = element.element(.string("key")), let value = element.element(.string("value")) else {
                    throw JinjaFault("an item has no 'key' and 'value'")
                }
                entries.append((try key.text(), value))
            }
            return .map(entries)
        },
    ]

    private static func unique(_ elements: [JinjaValue]) -> [JinjaValue] {
        var result: [JinjaValue] = []
        for element in elements where !result.contains(element) { result.append(element) }
        return result
    }

    private static func flat(_ elements: [JinjaValue], levels: Int) throws(JinjaFault) -> [JinjaValue] {
        var result: [JinjaValue] = []
        for element in elements {
            switch element.settled {
            case .none: break
            case .list(let more): result += levels > 0 ? try flat(more, levels: levels - 1) : [element]
            default: result.append(element)
            }
        }
        return result
    }

    /// The places of elements in their order; of equal ones the first comes first.
    private static func sorted(
        _ keys: [JinjaValue], respectsCase: Bool = false
    ) throws(JinjaFault) -> [Int] {
        let keys = keys.map { key in
            if !respectsCase, case .string(let text) = key.settled { return JinjaValue.string(text.lowercased()) }
            return key
        }
        var order: [Int] = []
        for index in keys.indices {
            var place = order.endIndex
            while place > 0, try keys[index].isLess(than: keys[order[place - 1]]) { place -= 1 }
            order.insert(index, at: place)
        }
        return order
    }

    /// An attribute of each element, such as `name` or `address.0`; without a name the elements themselves.
    private static func attribute(
        _ name: String?, of elements: [JinjaValue], default otherwise: JinjaValue? = nil
    ) throws(JinjaFault) -> [JinjaValue] {
        guard let name else { return elements }
        return elements.map { element in
            name.split(separator: ".").reduce(element) { found, part in
                found.element(.string(String(part))) ?? otherwise
                    ?? .undefined(JinjaFault("an element has no attribute '\(name)'"))
            }
        }
    }

    private static func chosen(
        _ value: JinjaValue, _ call: JinjaCall, by name: String? = nil, expecting: Bool
    ) throws(JinjaFault) -> [JinjaValue] {
        let elements = try value.elements()
        let values = try attribute(name, of: elements)
        let test = try call.text(0)
        var result: [JinjaValue] = []
        for (element, value) in zip(elements, values) {
            let holds =
                if let test { try JinjaTests.holds(test, of: value, call.rest) } else { try value.truth() }
            if holds == expecting { result.append(element) }
        }
        return result
    }
}

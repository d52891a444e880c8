/// The values of the arguments of a filter, a test, a method or a function.
struct JinjaCall {
    var positional: [JinjaValue] = []
    var named: [String: JinjaValue] = [:]

    /// An argument by its place or its name; nil when it is not given.
    func value(_ index: Int, _ name: String = "") -> JinjaValue? {
        positional.indices.contains(index) ? positional[index] : named[name]
    }

    func text(_ index: Int, _ name: String = "") throws(JinjaFault) -> String? {
        guard let value = value(index, name) else { return nil }
        return try value.text()
    }

    func int(_ index: Int, _ name: String = "") throws(JinjaFault) -> Int? {
        guard let value = value(index, name) else { return nil }
        guard let int = value.int else { throw JinjaFault("\(value.kind) stands where a whole number should") }
        return int
    }

    func truth(_ index: Int, _ name: String = "") throws(JinjaFault) -> Bool {
        try value(index, name)?.truth() ?? false
    }

    func required(_ index: Int, _ name: String = "") throws(JinjaFault) -> JinjaValue {
        guard let value = value(index, name) else { throw JinjaFault("an argument is missing") }
        return value
    }

    /// The same without the first argument.
    var rest: JinjaCall { JinjaCall(positional: Array(positional.dropFirst()), named: named) }
}

extension JinjaOperator {
    /// The value of an operation, as Python has it. `and` and `or` are not among them: they may leave out their second.
    func apply(_ left: JinjaValue, _ right: JinjaValue) throws(JinjaFault) -> JinjaValue {
        for value in [left, right] { if case .undefined(let fault) = value { throw fault } }
        switch self {
        case .or, .and: throw JinjaFault("'\(rawValue)' is not expected there")
        case .equal: return .bool(left == right)
        case .unequal: return .bool(left != right)
        case .less: return .bool(try left.isLess(than: right))
        case .greater: return .bool(try right.isLess(than: left))
        case .lessOrEqual: return .bool(left == right ? true : try left.isLess(than: right))
        case .greaterOrEqual: return .bool(left == right ? true : try right.isLess(than: left))
        case .contained: return .bool(try Self.contains(left, in: right))
        case .joined: return .string(try left.text() + (try right.text()))
        case .plus: return try Self.sum(left, right)
        case .times:
            if case .string(let text) = left.settled, let count = right.int { return try Self.repeating(text, count) }
            return try arithmetic(left, right)
        case .minus, .divided, .floorDivided, .remainder, .power: return try arithmetic(left, right)
        }
    }

    static func contains(_ element: JinjaValue, in whole: JinjaValue) throws(JinjaFault) -> Bool {
        guard case .string(let text) = whole.settled else { return try whole.elements().contains(element) }
        guard case .string(let part) = element.settled else {
            throw JinjaFault("\(element.kind) cannot be part of a text")
        }
        return part.isEmpty || text.contains(part)
    }

    private static func sum(_ left: JinjaValue, _ right: JinjaValue) throws(JinjaFault) -> JinjaValue {
        switch (left.settled, right.settled) {
        case (.string(let one), .string(let other)): return .string(one + other)
        case (.list(let one), .list(let other)): return .list(one + other)
        default: return try JinjaOperator.plus.arithmetic(left, right)
        }
    }

    private static func repeating(_ text: String, _ count: Int) throws(JinjaFault) -> JinjaValue {
        guard count <= 10_000 else { throw JinjaFault("a text is repeated too often") }
        return .string(String(repeating: text, count: max(0, count)))
    }

    private func arithmetic(_ left: JinjaValue, _ right: JinjaValue) throws(JinjaFault) -> JinjaValue {
        if self != .divided, let one = left.int, let other = right.int { return try whole(one, other) }
        guard let one = left.number, let other = right.number else {
            throw JinjaFault(
                "'\(rawValue)' takes numbers, not \(left.number == nil ? left.kind : right.kind)",
                remedy: "make a number of it by '| int'")
        }
        if [.divided, .floorDivided, .remainder].contains(self), other == 0 {
            throw JinjaFault("nothing can be divided by 0")
        }
        let result: Double =
            switch self {
            case .plus: one + other
            case .minus: one - other
            case .times: one * other
            case .divided: one / other
            case .floorDivided: (one / other).rounded(.down)
            case .remainder: one - (one / other).rounded(.down) * other
            case .power where (0...1000).contains(other) && other == other.rounded():
                (0..<Int(other)).reduce(1.0) { product, _ in product * one }
            default: throw JinjaFault("'\(rawValue)' takes a whole exponent of 0 to 1000")
            }
        guard result.isFinite else { throw JinjaFault("the number is too large") }
        return .double(result)
    }

    private func whole(_ one: Int, _ other: Int) throws(JinjaFault) -> JinjaValue {
        var result: (partialValue: Int, overflow: Bool)
        switch self {
        case .plus: result = one.addingReportingOverflow(other)
        case .minus: result = one.subtractingReportingOverflow(other)
        case .times: result = one.multipliedReportingOverflow(by: other)
        case .floorDivided, .remainder:
            guard other != 0 else { throw JinjaFault("nothing can be divided by 0") }
            guard other != -1 || one != Int.min else { throw JinjaFault("the number is too large") }
            // Python rounds down, also below zero.
            let (quotient, rest) = one.quotientAndRemainder(dividingBy: other)
            let isBelow = rest != 0 && (rest < 0) != (other < 0)
            return .int(self == .remainder ? (isBelow ? rest + other : rest) : (isBelow ? quotient - 1 : quotient))
        default:
            guard (0...1000).contains(other) else { throw JinjaFault("the exponent is out of range") }
            result = (1, false)
            for _ in 0..<other where !result.overflow {
                result = result.partialValue.multipliedReportingOverflow(by: one)
            }
        }
        guard !result.overflow else { throw JinjaFault("the number is too large") }
        return .int(result.partialValue)
    }
}

import Diagnostics

/// Checks a template against the shape of its context, in all branches.
struct TemplateChecker {
    var diagnostics = Diagnostics()

    mutating func check(_ nodes: [Node], in scope: TemplateScope) {
        for node in nodes {
            switch node {
            case .text: break
            case .output(let expression):
                if let shape = value(expression, in: scope) { checkPrintable(shape, at: expression) }
            case .loop(let variable, let location, let list, let body):
                checkLoop(variable, at: location, over: list, body: body, in: scope)
            case .condition(let branches, let otherwise):
                var scope = scope
                for (condition, body) in branches {
                    require(.boolean, condition, in: scope)
                    check(body, in: scope.assuming(condition, is: true))
                    scope = scope.assuming(condition, is: false)
                }
                check(otherwise, in: scope)
            }
        }
    }

    private mutating func checkLoop(
        _ variable: String, at location: SourceLocation, over list: Expression, body: [Node], in scope: TemplateScope
    ) {
        if scope.names[variable] != nil || variable == "loop" {
            diagnostics.report("the name '\(variable)' is taken", at: location, remedy: "name the element differently")
        }
        guard let shape = value(list, in: scope) else { return }
        guard case .list(let element) = shape else {
            diagnostics.report("expected a list, found \(shape.description)", at: list.location)
            return
        }
        check(body, in: scope.binding(variable, to: element))
    }

    private mutating func checkPrintable(_ shape: Shape, at expression: Expression) {
        switch shape {
        case .text, .integer, .boolean, .secret, .optional: break
        case .list:
            diagnostics.report(
                "a list cannot be printed as it is", at: expression.location, remedy: "write '| join(',')'")
        case .mapping(let members):
            diagnostics.report(
                "a mapping cannot be printed as it is", at: expression.location,
                remedy: "name one of its members: \(members.keys.sorted().joined(separator: ", "))")
        }
    }

    /// The shape of a value that is there, or nil when a fault was reported.
    private mutating func value(_ expression: Expression, in scope: TemplateScope) -> Shape? {
        guard let shape = shape(of: expression, in: scope) else { return nil }
        guard case .optional = shape else { return shape }
        let name = expression.path ?? "this"
        diagnostics.report(
            "'\(name)' may be none here", at: expression.location,
            remedy: "put '{% if \(name) is not none %}' around it")
        return nil
    }

    private mutating func require(_ wanted: Shape, _ expression: Expression, in scope: TemplateScope) {
        guard let found = value(expression, in: scope), found != wanted else { return }
        var remedy: String?
        if case .list = found, wanted == .boolean { remedy = "write '| length > 0'" }
        diagnostics.report(
            "expected \(wanted.description), found \(found.description)", at: expression.location, remedy: remedy)
    }

    /// The shape of a value that may be none, or nil when a fault was reported.
    private mutating func shape(of expression: Expression, in scope: TemplateScope) -> Shape? {
        switch expression.kind {
        case .text: return .text
        case .integer: return .integer
        case .boolean: return .boolean
        case .name(let name):
            return narrowed(find(name, in: scope.names, at: expression.location), expression, in: scope)
        case .attribute(let base, let name):
            guard let shape = value(base, in: scope) else { return nil }
            guard case .mapping(let members) = shape else {
                diagnostics.report("\(shape.description) has no '\(name)'", at: expression.location)
                return nil
            }
            return narrowed(find(name, in: members, at: expression.location), expression, in: scope)
        case .not(let inner): require(.boolean, inner, in: scope)
        case .and(let left, let right):
            require(.boolean, left, in: scope)
            require(.boolean, right, in: scope.assuming(left, is: true))
        case .or(let left, let right):
            require(.boolean, left, in: scope)
            require(.boolean, right, in: scope.assuming(left, is: false))
        case .comparison(let comparison, let left, let right): checkComparison(comparison, left, right, in: scope)
        case .contains(let list, let element): checkContains(list, element, in: scope)
        case .isNone(let inner):
            guard let shape = shape(of: inner, in: scope) else { return .boolean }
            guard case .optional = shape else {
                diagnostics.report("'\(inner.path ?? "this")' is never none here", at: inner.location)
                return .boolean
            }
        case .filtered(let inner, let filter): return shape(of: inner, through: filter, in: scope)
        }
        return .boolean
    }

    private mutating func find(
        _ name: String, in names: [String: Shape], at location: SourceLocation
    ) -> Shape? {
        if let shape = names[name] { return shape }
        diagnostics.report(
            "undefined name '\(name)'", at: location, remedy: Suggestion.remedy(for: name, among: names.keys))
        return nil
    }

    private func narrowed(_ shape: Shape?, _ expression: Expression, in scope: TemplateScope) -> Shape? {
        guard case .optional(let present) = shape, let path = expression.path, scope.present.contains(path) else {
            return shape
        }
        return present
    }

    private mutating func checkComparison(
        _ comparison: Comparison, _ left: Expression, _ right: Expression, in scope: TemplateScope
    ) {
        guard let first = value(left, in: scope), let second = value(right, in: scope) else { return }
        let isEquality = comparison == .equal || comparison == .notEqual
        let comparable: Set<Shape> = isEquality ? [.text, .integer, .boolean] : [.text, .integer]
        if !comparable.contains(first) || first != second {
            diagnostics.report(
                "cannot compare \(first.description) with \(second.description) by '\(comparison.rawValue)'",
                at: left.location)
        }
    }

    private mutating func checkContains(_ list: Expression, _ element: Expression, in scope: TemplateScope) {
        guard let shape = value(list, in: scope), let found = value(element, in: scope) else { return }
        if shape != .list(found) || ![.text, .integer, .boolean].contains(found) {
            diagnostics.report(
                "cannot look for \(found.description) in \(shape.description)", at: element.location)
        }
    }

    private mutating func shape(
        of expression: Expression, through filter: Filter, in scope: TemplateScope
    ) -> Shape? {
        guard let shape = value(expression, in: scope) else { return nil }
        switch (filter, shape) {
        case (.upper, .text), (.lower, .text), (.join, .list(.text)), (.join, .list(.integer)): return .text
        case (.indent, .text), (.indent, .secret), (.quote, .text), (.quote, .secret), (.line, .text), (.line, .secret):
            return shape
        case (.length, .text), (.length, .list): return .integer
        default:
            diagnostics.report("cannot use '\(filter.name)' on \(shape.description)", at: expression.location)
            return nil
        }
    }
}

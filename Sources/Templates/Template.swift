public import Diagnostics
public import Secrets

/// What a template may name: the coded properties of a type, under their coding keys.
///
/// A property is a `String`, a `Bool`, an integer, a ``TemplateSecret``, an enumeration of strings that is
/// `CaseIterable`, a struct of such, or an array or optional of them. Its type alone says which names exist, so a template is
/// checked completely before there is a value.
public protocol TemplateContext: Codable, Sendable {}

/// A text file with holes, in a strict subset of Jinja: what it accepts means the same as in Jinja.
///
/// - `{{ expression }}`, `{# comment #}`, `{% for x in list %}`…`{% endfor %}` with `loop.first`, `loop.last` and
///   `loop.index`, and `{% if %}`…`{% elif %}`…`{% else %}`…`{% endif %}`.
/// - Expressions: names, `a.b`, `'text'`, `12`, `true`, `false`, `== != < > <= >=`, `and`, `or`, `not`, `in`, `not in`,
///   `is none`, `is not none`, parentheses.
/// - Filters: `list | join(',')`, `text | upper`, `text | lower`, `list | length`, `text | indent(4)`, which moves
///   every line but the first and the empty ones, `text | quote`, which puts it between single quotes and doubles
///   those inside, as YAML, SQL and postgresql.conf read it, and `text | line`. The last three also take secrets.
/// - A text that nothing quotes is printed only if it is one word, which every kind of file reads as one value: letters,
///   digits and `_ . / : , @ % + = -`. `text | line` prints any text without a line break, where the rest of a line is free.
/// - A line that holds only `{% %}` and `{# #}` leaves nothing; `{%-` and `-%}` take the white space beside them too.
///   Other lines keep their newline, unlike Jinja's `trim_blocks`, which glues what follows an `{% endif %}` to it.
///
/// A Bool is printed as `true` or `false`. There is no undefined value and no truth of things that are not `true` or
/// `false`, so nothing is rendered as nothing by accident.
public struct Template: Sendable {
    let nodes: [Node]

    /// Parses a template.
    ///
    /// - Parameters:
    ///   - text: the whole template.
    ///   - file: the name that its diagnostics carry.
    /// - Throws: `Diagnostics` with all the syntax errors of the file.
    public init(_ text: String, file: String) throws(Diagnostics) {
        var scanner = TemplateScanner(text, file: file)
        let pieces = scanner.scan()
        var parser = TemplateParser(pieces, diagnostics: scanner.diagnostics)
        nodes = parser.parse()
        try parser.diagnostics.throwIfAny()
    }

    /// Checks every name and every use of it, in all branches, against what contexts of this type hold.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong, or a `Diagnostic` when no template can use this type.
    public func check<Context: TemplateContext>(for context: Context.Type) throws {
        var checker = TemplateChecker()
        checker.check(nodes, in: TemplateScope(names: try Shape.members(of: context)))
        try checker.diagnostics.throwIfAny()
    }

    /// Checks the template and fills in its holes. A secret of the context stays secret in the result.
    ///
    /// - Throws: as ``check(for:)`` does, or an error of the context's `encode(to:)`.
    public func render<Context: TemplateContext>(_ context: Context) throws -> MaskedText {
        try check(for: Context.self)
        guard case .mapping(let names) = try TemplateValue(context) else {
            throw Diagnostic("the context '\(Context.self)' holds no names")
        }
        var renderer = TemplateRenderer()
        try renderer.render(nodes, with: names)
        return renderer.result
    }
}

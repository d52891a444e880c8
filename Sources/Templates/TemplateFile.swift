public import Secrets
import YAML

/// A template for one type of context, read and checked before there is anything to fill in.
public struct TemplateFile<Context: TemplateContext>: Sendable {
    private let template: Template

    /// - Parameter path: the template's file.
    /// - Throws: a `Diagnostic` when it cannot be read, `Diagnostics` with everything that is wrong in it.
    public init(_ path: String) throws {
        template = try Template(TextFile.read(path), file: path)
        try template.check(for: Context.self)
    }

    /// Fills in the holes. A secret of the context stays secret in the result.
    ///
    /// - Throws: an error of the context's `encode(to:)`.
    public func render(_ context: Context) throws -> MaskedText { try template.render(context) }
}

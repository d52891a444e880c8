/// Lets the resources of a play be written one below the other, with `if` and `for` between them.
@resultBuilder
public enum ResourceBuilder {
    public static func buildExpression(
        _ resource: some Resource, file: String = #fileID, line: Int = #line
    ) -> [any Resource] {
        [Declared(resource: resource, source: "\(file):\(line)")]
    }

    public static func buildExpression(_ resources: [any Resource]) -> [any Resource] { resources }
    public static func buildBlock(_ parts: [any Resource]...) -> [any Resource] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [any Resource]?) -> [any Resource] { part ?? [] }
    public static func buildEither(first part: [any Resource]) -> [any Resource] { part }
    public static func buildEither(second part: [any Resource]) -> [any Resource] { part }
    public static func buildArray(_ parts: [[any Resource]]) -> [any Resource] { parts.flatMap { $0 } }
}

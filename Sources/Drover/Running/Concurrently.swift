/// Does the same with all elements at once.
///
/// - Returns: the results in the order of the elements.
func concurrently<Element: Sendable, Value: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) async -> Value
) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
        for (index, element) in elements.enumerated() {
            group.addTask { (index, await body(element)) }
        }
        var values: [Int: Value] = [:]
        for await (index, value) in group { values[index] = value }
        return elements.indices.compactMap { values[$0] }
    }
}

extension Result where Failure == any Error {
    /// What an asynchronous body returned or threw.
    init(catching body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}

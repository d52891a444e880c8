/// Does the same with all elements, with many of them at the same time.
///
/// - Parameter limit: how many at the same time, at most.
/// - Returns: the results in the order of the elements.
func concurrently<Element: Sendable, Value: Sendable>(
    _ elements: [Element], atMost limit: Int, _ body: @escaping @Sendable (Element) async -> Value
) async -> [Value] {
    await withTaskGroup(of: (Int, Value).self) { group in
        var rest = elements.enumerated().makeIterator()
        func begin() {
            if let (index, element) = rest.next() { group.addTask { (index, await body(element)) } }
        }
        for _ in 0..<max(1, limit) { begin() }
        var values: [Int: Value] = [:]
        for await (index, value) in group {
            values[index] = value
            begin()
        }
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

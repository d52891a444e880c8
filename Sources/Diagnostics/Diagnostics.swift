/// Everything that is wrong with an input, collected so that a person sees all of it at once.
public struct Diagnostics: Error, Sendable {
    /// The diagnostics in the order in which they were reported, each only once.
    public private(set) var all: [Diagnostic] = []
    private var known: Set<Diagnostic> = []

    public init(_ all: [Diagnostic] = []) {
        for diagnostic in all { report(diagnostic) }
    }

    public var isEmpty: Bool { all.isEmpty }

    public mutating func report(_ diagnostic: Diagnostic) {
        if known.insert(diagnostic).inserted { all.append(diagnostic) }
    }

    public mutating func report(_ message: String, at location: SourceLocation? = nil, remedy: String? = nil) {
        report(Diagnostic(message, at: location, remedy: remedy))
    }

    /// Runs `body` and keeps the diagnostics that it throws; any other error is thrown on.
    ///
    /// - Returns: what `body` returned, or nil when it threw a diagnostic.
    public mutating func collect<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let diagnostic as Diagnostic {
            report(diagnostic)
        } catch let diagnostics as Diagnostics {
            for diagnostic in diagnostics.all { report(diagnostic) }
        }
        return nil
    }

    /// Those with a place first, in the order of the text.
    public var sorted: [Diagnostic] {
        let placed = all.filter { $0.location != nil }
        return placed.sorted { $0.location! < $1.location! } + all.filter { $0.location == nil }
    }

    /// - Throws: itself, when anything was reported.
    public func throwIfAny() throws(Diagnostics) {
        if !isEmpty { throw self }
    }
}

extension Diagnostics: CustomStringConvertible {
    /// One diagnostic a line.
    public var description: String { sorted.map(\.description).joined(separator: "\n") }
}

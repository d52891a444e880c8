/// Sees what a run does, as it happens. Called from several tasks at once.
public protocol Reporter: Sendable {
    func report(_ event: RunEvent)
}

/// Several reporters that all see the same.
public struct Reporters: Reporter {
    private let all: [any Reporter]

    public init(_ all: [any Reporter]) {
        self.all = all
    }

    public func report(_ event: RunEvent) {
        for reporter in all { reporter.report(event) }
    }
}

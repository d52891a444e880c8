import Engine
import SystemResources

/// A run of a playbook as the command line asks for it.
struct PlaybookRun<P: Playbook>: Sendable {
    private let playbook: P
    private let options: CommonOptions
    private let selection: SelectionOptions
    private let reporter: any Reporter
    private let interruption = Interruption()

    init(_ playbook: P, _ options: CommonOptions, _ selection: SelectionOptions, reporter: any Reporter) {
        self.playbook = playbook
        self.options = options
        self.selection = selection
        self.reporter = reporter
    }

    /// Finds out what would change.
    ///
    /// - Parameter isKept: whether the plan is saved.
    func plan(isKept: Bool) async throws -> (result: RunResult, observation: Observation) {
        try await supplied {
            let run = try await run()
            return try await Interrupts.guarding(interruption, reporter: reporter) {
                try await run.plan(isKept: isKept)
            }
        }
    }

    /// Changes what must change.
    ///
    /// - Parameter saved: the plan to carry out exactly; nil for whatever must change.
    func apply(
        _ apply: ApplyOptions, saved: SavedPlan? = nil, approve: @escaping @Sendable (Engine.Plan) async throws -> Bool
    ) async throws -> ExitStatus {
        try await supplied {
            let run = try await run { $0.waitsForLock = apply.wait }
            return try await Interrupts.guarding(interruption, reporter: reporter) {
                try await run.apply(saved, approve: approve).status
            }
        }
    }

    private func supplied<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard let directory = selection.offline else { return try await body() }
        let supply = try await PackageSupply(directory: directory)
        return try await PackageSupply.$current.withValue(supply, operation: body)
    }

    private func run(_ adjust: (inout RunOptions) -> Void = { _ in }) async throws -> Run<P> {
        let inventory = try await options.loadInventory()
        var runOptions = try selection.runOptions(for: inventory)
        adjust(&runOptions)
        return try Run(
            playbook, inventory: inventory, options: runOptions, settings: try await options.settings(for: inventory),
            interruption: interruption, reporter: reporter)
    }
}

/// The steps that took the longest time.
enum SlowestSteps {
    /// How many are told.
    private static let count = 5

    static func of(_ record: RunRecord) -> [RunRecord.StepSpan] {
        Array(record.steps.filter { $0.outcome == .done }.sorted { $0.seconds > $1.seconds }.prefix(count))
    }
}

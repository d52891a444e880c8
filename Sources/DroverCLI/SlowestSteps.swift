/// The steps that took the longest time.
enum SlowestSteps {
    /// How many are told.
    private static let count = 5

    /// - Parameter patience: in seconds; steps that took less are left out.
    static func of(_ record: RunRecord, longerThan patience: Double = 0) -> [RunRecord.StepSpan] {
        Array(record.steps.filter { $0.seconds >= patience }.sorted { $0.seconds > $1.seconds }.prefix(count))
    }
}

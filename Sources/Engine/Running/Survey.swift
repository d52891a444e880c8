public import Inventory

/// Asks hosts without wanting anything of them. A host that cannot be asked does not keep the others from answering.
public enum Survey {
    /// - Parameter questions: what to ask of a host, given what it has answered. It is asked again until nothing is open.
    /// - Returns: for each host its answers, or why there are none, in the order of the hosts.
    public static func ask(
        _ hosts: [Host], settings: ConnectionSettings, questions: @escaping @Sendable (Host, Facts) -> [any Fact]
    ) async -> [(host: Host, answers: Result<Facts, any Error>)] {
        let survey = StandingSurvey(of: hosts, settings: settings, patience: .long)
        let answers = await survey.ask(questions: questions)
        await survey.close()
        return answers
    }
}

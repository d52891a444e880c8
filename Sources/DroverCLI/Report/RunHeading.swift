import FoundationEssentials

/// Which run it is.
struct RunHeading: Hashable, Sendable {
    /// `plan` or `apply`.
    let command: String
    let playbook: String
    let inventory: String
    /// Who runs it, and where: `ann@admin`.
    let person: String
    let began: Date

    /// That of a run of this program which begins now.
    static func now(_ command: String, _ playbook: String, inventory: String) -> RunHeading {
        let process = ProcessInfo.processInfo
        return RunHeading(
            command: command, playbook: playbook, inventory: inventory,
            person: "\(process.userName)@\(process.hostName)", began: .now)
    }
}

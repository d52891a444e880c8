import Drover

/// The command line around the playbooks of this package.
@main
enum Main: CommandLineProgram {
    static let name = "Starter"
    static let abstract = "Brings our hosts to their declared state."

    /// A new playbook needs its own file in this folder and its line here.
    static let all: [any Playbook.Type] = [
        Baseline.self
    ]
}

import DroverCLI
import Engine

/// `drover-workload`: the command line around the playbook that is compared with other tools.
@main
enum Main: CommandLineProgram {
    static let name = "drover-workload"
    static let abstract = "The workload that is compared with other tools."
    static let all: [any Playbook.Type] = [SetUpWorkers.self]
}

import ArgumentParser
import ClusterCLI
import DroverCLI
import Engine

/// `drover`: the command line around the playbooks of this folder.
@main
enum Main: CommandLineProgram {
    static let name = "drover"
    static let abstract = "Brings hosts to a declared state over SSH: PostgreSQL high-availability clusters above all."
    static let all = Playbooks.all
    static let commands = PostgresClusters.commands + [InitCommand.self]
    static let clusters: (any ClusterSupport)? = PostgresClusters()
}

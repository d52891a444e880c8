import DroverCLI

/// `drover-tests`: the command line around the playbooks that only tests want.
@main
enum Main: CommandLineProgram {
    static let name = "drover-tests"
    static let abstract = "Playbooks that only tests want."
    static let all = TestPlaybooks.all
}

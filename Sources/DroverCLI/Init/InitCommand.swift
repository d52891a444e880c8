public import ArgumentParser
import Diagnostics
import Engine

/// `drover init DIR`: makes a package of one's own.
public struct InitCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make a Swift package of your own: a playbook, its templates, an inventory, a test.",
        discussion: """
            The package and its program are named as the folder is. In a package that was cloned, init makes nothing but the \
            link 'drover' to the sources of Drover.
            """)

    @Argument(help: "The folder to make. One that is there must be empty, or a package without the link.")
    var folder: String

    @Option(
        help: "The sources of Drover that the package builds with, instead of those that belong to this program.")
    var drover: String?

    public init() {}

    public func run() async throws {
        try await Failure.explained {
            let checkout = try Checkout(drover)
            let place = Place(folder)
            if SourceLink.isMissing(in: place.path) {
                try SourceLink.make(in: place.path, to: checkout)
                Terminal.print("\(place.path) builds with \(checkout.path)")
                return .done
            }
            let name = try PackageName(place.name, checkout: checkout.name)
            let starter = try Starter(folder: Installation.path(of: "starter"), name: name, checkout: checkout)
            try starter.copy(to: place.path)
            Terminal.print(
                """
                \(place.path) has a playbook, baseline, and the command line around it. What to type next:

                    cd \(ShellText.quoting(folder))
                    swift build                     # minutes, the first time
                    swift test                      # tests the playbook, without any host
                    program=.build/debug/\(name.name)
                    $program lab up 2               # two hosts on this machine, as root
                    $program lab exec -- $program apply baseline -i hosts.yml
                """)
            return .done
        }
    }
}

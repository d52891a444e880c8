import ArgumentParser
import DroverCLI
import Engine
import FoundationEssentials
import PostgresCluster

/// `drover status`: the cluster as it is.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show a cluster as it is: members, roles, lag, etcd, balancers.")

    @OptionGroup var options: CommonOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print metrics in the text format of OpenMetrics.")
    var openmetrics = false

    @Flag(
        help:
            "Show the cluster on the whole terminal, every few seconds anew; with --json, print a line for each observation."
    )
    var watch = false

    @Option(help: "Also write a page with a map of the cluster, in HTML, to this file.")
    var page: String?

    @Option(help: "The folder with the runbook of the documentation site, as a URL, for the links of the page.")
    var runbook: String?

    @Flag(help: "Exit with 2 when something critical or a warning is found.")
    var detailedExitcode = false

    func validate() throws {
        guard !json || !openmetrics else { throw ValidationError("--json and --openmetrics exclude each other") }
        let unwatched = [
            (openmetrics, "--openmetrics"), (page != nil, "--page"), (detailedExitcode, "--detailed-exitcode"),
        ].filter(\.0)
        if watch, let other = unwatched.first {
            throw ValidationError("--watch and \(other.1) exclude each other")
        }
        guard runbook == nil || page != nil else { throw ValidationError("--runbook is for the links of --page") }
    }

    func run() async throws {
        try await Failure.explained {
            let target = page.map { PageTarget($0, of: "page") }
            try target?.check()
            let inventory = try await options.loadInventory()
            let settings = try await options.settings(for: inventory)
            if watch {
                let watch = StatusWatch(try ClusterObserver(of: inventory, settings: settings))
                try await json ? watch.printJSON() : watch.show()
                return .done
            }
            let status = try await ClusterStatus.observe(
                inventory, settings: settings)
            try target?.write(StatusPage(status: status, runbook: runbook).html)
            if openmetrics {
                Terminal.print(StatusMetrics(status: status).text)
            } else if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
                try Terminal.print(json: status, by: encoder)
            } else {
                StatusText(status: status, style: Style(isColoured: Terminal.hasColours)).lines
                    .forEach { Terminal.print($0) }
            }
            let isWell = status.findings.allSatisfy { $0.severity == .note }
            return isWell || !detailedExitcode ? .done : .changesPending
        }
    }
}

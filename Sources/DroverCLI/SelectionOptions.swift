import ArgumentParser
import Diagnostics
import Engine
import Inventory

/// Which hosts and plays a run is about, how many hosts at a time, and where they get packages from.
struct SelectionOptions: ParsableArguments {
    @Option(
        name: [.short, .long], help: "Change only these hosts, by a pattern like web,&east,!web3.", completion: .hosts)
    var limit: String?

    @Option(name: .long, help: "Only plays with one of these tags, separated by commas.")
    var tags: String?

    @Option(name: .long, help: "No plays with one of these tags, separated by commas.")
    var skipTags: String?

    @Option(name: .long, help: "On how many hosts to work at the same time, at most.")
    var parallel: Int = RunOptions().parallel

    @Option(
        name: .long,
        help: "How many hosts may fail, as a number or as a share like 25%, before no further play begins.")
    var maxFailures: String?

    @Option(
        name: .long,
        help: "Send packages from this directory of .deb files; the hosts' own repositories are left alone.",
        completion: .directory)
    var offline: String?

    /// - Throws: `Diagnostic` when something is chosen that there is not.
    func runOptions(for inventory: Inventory) throws -> RunOptions {
        var options = RunOptions()
        options.limit = try limit.map { Set(try HostPattern($0).hosts(in: inventory).map(\.name)) }
        options.tags = words(tags)
        options.skippedTags = words(skipTags)
        guard parallel > 0 else {
            throw Diagnostic("--parallel \(parallel): at least one host must be worked on")
        }
        options.parallel = parallel
        options.failureBudget = try maxFailures.map { text in
            guard let budget = FailureBudget(text) else {
                throw Diagnostic(
                    "--max-failures \(text): neither a number of hosts nor a share", remedy: "write it like 2 or 25%")
            }
            return budget
        }
        return options
    }

    private func words(_ text: String?) -> Set<String> {
        Set((text ?? "").split(separator: ",").map { String($0.filter { $0 != " " }) })
    }
}

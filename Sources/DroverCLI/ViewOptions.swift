import ArgumentParser

/// How much of a run is shown.
struct ViewOptions: ParsableArguments {
    @Flag(inversion: .prefixedNo, help: "Show what changes in each file.")
    var diff = true

    @Flag(help: "Show what the run cost: connections, exchanges, bytes, processes, processor time.")
    var stats = false

    var console: Console { Console(showsDiffs: diff, showsCosts: stats) }
}

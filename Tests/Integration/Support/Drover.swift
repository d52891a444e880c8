import Foundation

/// The program under test, as `swift build` left it beside the tests.
enum Drover {
    static let program: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        // .build/debug/DroverPackageTests.xctest, or swift's own test runner with the bundle among its arguments.
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? tests
        return String(bundle[..<(bundle.range(of: "/debug/")?.upperBound ?? bundle.endIndex)]) + "drover"
    }()

    /// The folder that holds `templates/` and `inventory/`.
    static let checkout = String(program[..<(program.range(of: "/.build/")?.lowerBound ?? program.endIndex)])

    /// The program of the tests' own playbooks as people build it, for tests that look at what it costs.
    static let releasedTests = checkout + "/.build/release/drover-tests"

    static func run(_ words: String...) async throws -> Command {
        try await Command.run([program] + words)
    }
}

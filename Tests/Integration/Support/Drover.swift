import Foundation
import Testing

/// The program under test, as `swift build` left it in the checkout of the tests.
enum Drover {
    /// `DROVER_INTEGRATION=release` tests an optimized program, as people install it; otherwise it is that of the debug
    /// build, which is made more quickly after a change.
    static let program = "\(checkout)/.build/\(isReleased ? "release" : "debug")/drover"
    private static let isReleased = ProcessInfo.processInfo.environment["DROVER_INTEGRATION"] == "release"

    /// The folder that holds `templates/` and `inventory/`.
    static let checkout: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        // .build/debug/DroverPackageTests.xctest, or swift's own test runner with the bundle among its arguments.
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? tests
        return String(bundle[..<(bundle.range(of: "/.build/")?.lowerBound ?? bundle.endIndex)])
    }()

    /// The program as people build it, for tests that look at what it costs and on which systems it runs.
    static let released = checkout + "/.build/release/drover"

    /// The program of the tests' own playbooks, built in the same way.
    static let releasedTests = checkout + "/.build/release/drover-tests"

    /// Does something to a lab, which must succeed.
    @discardableResult
    static func lab(_ words: [String], seconds: Int = Command.limit) async throws -> Command {
        let result = try await run(["lab"] + words, seconds: seconds)
        try #require(result.status == 0, "\(words): \(result.everything)")
        return result
    }

    static func run(_ words: String...) async throws -> Command { try await run(words) }

    static func run(_ words: [String], seconds: Int = Command.limit) async throws -> Command {
        try await Command.run([program] + words, seconds: seconds)
    }
}

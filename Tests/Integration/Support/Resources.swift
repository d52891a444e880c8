import Foundation
import Testing

/// What a program took.
struct Resources {
    let seconds: Double
    /// Of memory, at most.
    let kilobytes: Int

    /// Runs a program to its end.
    static func measure(_ command: [String]) async throws -> (result: Command, cost: Resources) {
        let file = FileManager.default.temporaryDirectory.appending(path: "drover-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try await Command.run(["time", "--output", file, "--quiet", "--format", "%e %M"] + command)
        let numbers = try String(contentsOfFile: file, encoding: .utf8).split { $0 == " " || $0 == "\n" }
        return (
            result,
            Resources(
                seconds: try #require(numbers.first.flatMap { Double($0) }),
                kilobytes: try #require(numbers.last.flatMap { Int($0) }))
        )
    }
}

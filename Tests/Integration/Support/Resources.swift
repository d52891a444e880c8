import Foundation
import Testing

/// What a program took.
struct Resources {
    let processorSeconds: Double
    /// Of memory, at most.
    let kilobytes: Int

    /// Runs a program to its end.
    static func measure(_ command: [String]) async throws -> (result: Command, cost: Resources) {
        let file = FileManager.default.temporaryDirectory.appending(path: "drover-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let result = try await Command.run(["time", "--output", file, "--quiet", "--format", "%U %S %M"] + command)
        let words = try String(contentsOfFile: file, encoding: .utf8).split { $0 == " " || $0 == "\n" }
        try #require(words.count == 3)
        let numbers = try words.map { try #require(Double($0)) }
        return (result, Resources(processorSeconds: numbers[0] + numbers[1], kilobytes: Int(numbers[2])))
    }
}

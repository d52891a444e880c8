import Testing

/// The numbers in one line of what `--stats` prints.
struct Costs {
    private let numbers: [String: Int]

    init(of name: String, in output: String) throws {
        let line = try #require(output.linesOfOutput.last { $0.hasPrefix("\(name)  ") && $0.contains("=") })
        numbers = Dictionary(
            line.split(separator: " ").dropFirst().compactMap { word in
                let parts = word.split(separator: "=")
                return parts.count == 2 ? (String(parts[0]), Int(parts[1].prefix(while: \.isNumber)) ?? .max) : nil
            }, uniquingKeysWith: { first, _ in first })
    }

    subscript(_ name: String) -> Int? { numbers[name] }
}

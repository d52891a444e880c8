public import Engine

/// The IPv4 addresses that a host has at this moment.
public struct HostAddresses: Fact {
    public init() {}

    public static func script(for questions: [HostAddresses]) -> ShellText {
        "ip -oneline -4 address show"
    }

    public static func answers(to questions: [HostAddresses], from output: String) throws -> [HostAddresses: Set<
        String
    >] {
        let addresses = output.linesOfText.compactMap { line -> String? in
            let words = line.split(separator: " ")
            guard let inet = words.firstIndex(of: "inet"), inet + 1 < words.count else { return nil }
            return words[inet + 1].split(separator: "/").first.map(String.init)
        }
        return [HostAddresses(): Set(addresses)]
    }
}

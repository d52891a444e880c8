import Engine

/// The IPv4 addresses of a network interface with the bits of their networks, `10.70.0.11/24`; nil when the host has no such
/// interface.
struct InterfaceNetworks: Fact {
    let interface: String

    static func script(for questions: [InterfaceNetworks]) -> ShellText {
        questions.map { question -> ShellText in
            let interface = ShellText.quoting(question.interface)
            return """
                echo question
                [ ! -e /sys/class/net/\(interface) ] || { echo there; ip -oneline -4 address show dev \(interface); }
                """
        }.joined(separator: "\n")
    }

    static func answers(
        to questions: [InterfaceNetworks], from output: String
    ) throws -> [InterfaceNetworks: [String]?] {
        var answers: [[String]?] = []
        for line in output.linesOfText {
            let words = line.split(separator: " ").map(String.init)
            if words == ["question"] {
                answers.append(nil)
            } else if words == ["there"], !answers.isEmpty {
                answers[answers.count - 1] = []
            } else if let inet = words.firstIndex(of: "inet"), inet + 1 < words.count, !answers.isEmpty {
                answers[answers.count - 1]?.append(words[inet + 1])
            } else {
                throw UnreadableAnswer(InterfaceNetworks.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(InterfaceNetworks.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    /// Whether an address lies in a network that is written like `10.70.0.11/24`.
    static func contains(_ network: String, _ address: String) -> Bool {
        let parts = network.split(separator: "/")
        guard parts.count == 2, let bits = Int(parts[1]), (0...32).contains(bits), let own = number(parts[0]),
            let other = number(address)
        else { return false }
        return bits == 0 || own >> (32 - bits) == other >> (32 - bits)
    }

    private static func number(_ address: some StringProtocol) -> UInt32? {
        let bytes = address.split(separator: ".").compactMap { UInt8($0) }
        return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }
}

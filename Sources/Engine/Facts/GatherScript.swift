/// The one script that asks a host all questions, and the reading of what it prints.
///
/// Every kind's answers stand between two lines that begin with a record separator and a nonce, so that no content
/// of the host can be taken for a border.
struct GatherScript {
    private let requests: FactRequests
    private let nonce: String

    init(_ requests: FactRequests, nonce: String) {
        self.requests = requests
        self.nonce = nonce
    }

    var text: ShellText {
        let border: ShellText = "printf '\\036%s\\n' \(quoting: nonce)\n"
        var text: ShellText = "exec </dev/null\n\(ForkCount.begin)\n"
        for kind in requests.kinds { text += "\(border)\(kind.script)\n" }
        return text + "\(border)\(ForkCount.end)\n"
    }

    /// - Returns: the answers, and how many processes came into being on the host for them.
    /// - Throws: ``UnreadableAnswer`` when an answer is missing or is not what the fact's script prints.
    func read(_ output: String) throws -> (facts: Facts, forks: Int) {
        var sections = output.parts(separatedBy: "\u{1e}\(nonce)\n")
        // Nothing stands before the first border, the count after the last.
        guard sections.count == requests.kinds.count + 2 else { throw UnreadableAnswer(GatherScript.self, output) }
        sections.removeFirst()
        var facts = Facts()
        for (kind, section) in zip(requests.kinds, sections) {
            try kind.read(section, into: &facts)
        }
        return (facts, sections.last.flatMap { Int($0.dropLast()) } ?? 0)
    }
}

extension String {
    /// The parts of the string between occurrences of `separator`, in order. Its first byte should be a rare one.
    func parts(separatedBy separator: String) -> [String] {
        let text = Array(utf8)
        let pattern = Array(separator.utf8)
        var parts: [String] = []
        var start = 0
        var index = 0
        while let found = text[index...].firstIndex(of: pattern[0]) {
            guard text[found...].starts(with: pattern) else {
                index = found + 1
                continue
            }
            parts.append(String(decoding: text[start..<found], as: UTF8.self))
            start = found + pattern.count
            index = start
        }
        parts.append(String(decoding: text[start...], as: UTF8.self))
        return parts
    }
}

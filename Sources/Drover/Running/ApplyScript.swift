import Secrets

/// The one script that carries out all steps of a play on a host and tells of each as it begins and ends.
struct ApplyScript {
    private let steps: [HostPlan.Step]
    private let nonce: String

    init(_ steps: [HostPlan.Step], nonce: String) {
        self.steps = steps
        self.nonce = nonce
    }

    /// Each step runs in a subshell of its own with nothing to read; the first that fails ends the script with its
    /// status. A step's two outputs are joined, so that people read them in the order in which they were written.
    var text: MaskedText {
        var text = MaskedText("exec </dev/null 2>&1\njournal=\n" + JournalScript.functions)
        for (index, step) in steps.enumerated() {
            text.append("printf '\\036%s begin %s\\n' \(nonce) \(index)\n( set -e\n")
            text.append(step.change.script)
            // Not `( … ) || status=$?`, which would switch `set -e` off inside.
            text.append("\n); status=$?; printf '\\036%s end %s\\n' \(nonce) $status\n")
            text.append("[ $status = 0 ] || exit $status\n")
        }
        return text
    }

    var mustFinish: Bool { steps.contains(where: \.change.mustFinish) }
}

/// Reads the output of an ``ApplyScript`` as it arrives, in pieces of any size.
struct ApplyOutput {
    enum Event: Hashable {
        case began(step: Int)
        case printed(String)
        case ended(status: Int32)
    }

    private let marker: [UInt8]
    private var line: [UInt8] = []

    init(nonce: String) {
        marker = Array("\u{1e}\(nonce) ".utf8)
    }

    /// - Returns: what the further bytes tell: whole lines only.
    mutating func read(_ bytes: some Sequence<UInt8>) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            if byte != UInt8(ascii: "\n") {
                line.append(byte)
                continue
            }
            events += takeLine()
        }
        return events
    }

    /// What is left when the output has ended without a line break.
    mutating func finish() -> [Event] {
        line.isEmpty ? [] : takeLine()
    }

    /// A step that ends without a line break leaves its last words before the marker on the same line.
    private mutating func takeLine() -> [Event] {
        defer { line.removeAll(keepingCapacity: true) }
        guard let range = line[...].firstRange(of: marker) else {
            return [.printed(String(decoding: line, as: UTF8.self))]
        }
        let before = line[..<range.lowerBound]
        let words = String(decoding: line[range.upperBound...], as: UTF8.self).split(separator: " ")
        var events: [Event] = before.isEmpty ? [] : [.printed(String(decoding: before, as: UTF8.self))]
        switch (words.first, words.last.flatMap { Int32($0) }) {
        case ("begin", let step?): events.append(.began(step: Int(step)))
        case ("end", let status?): events.append(.ended(status: status))
        default: events.append(.printed(String(decoding: line, as: UTF8.self)))
        }
        return events
    }
}

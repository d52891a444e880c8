/// The few colours of the output, or none.
package struct Style: Sendable {
    let isColoured: Bool

    package init(isColoured: Bool) {
        self.isColoured = isColoured
    }

    package func bold(_ text: String) -> String { escape(text, "1") }
    package func faint(_ text: String) -> String { escape(text, "2") }
    package func red(_ text: String) -> String { escape(text, "31") }
    package func green(_ text: String) -> String { escape(text, "32") }
    package func yellow(_ text: String) -> String { escape(text, "33") }
    package func magenta(_ text: String) -> String { escape(text, "35") }
    package func cyan(_ text: String) -> String { escape(text, "36") }

    private func escape(_ text: String, _ code: String) -> String {
        isColoured ? Self.sequence(code) + text + Self.sequence("0") : text
    }

    /// All control sequences that this writes.
    static let sequences = ["0", "1", "2", "31", "32", "33", "35", "36"].map(sequence)

    private static func sequence(_ code: String) -> String { "\u{1b}[\(code)m" }
}

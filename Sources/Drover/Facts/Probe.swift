/// Whether a shell text succeeds. It must change nothing on the host.
public struct Probe: Fact {
    let test: String

    /// - Parameter test: POSIX shell text; what it prints is thrown away.
    public init(_ test: String) {
        self.test = test
    }

    public static func script(for questions: [Probe]) -> String {
        questions.map { "if { \($0.test)\n} >/dev/null 2>&1; then echo yes; else echo no; fi" }
            .joined(separator: "\n")
    }

    public static func answers(to questions: [Probe], from output: String) throws -> [Probe: Bool] {
        let lines = output.linesOfText
        guard lines.count == questions.count, lines.allSatisfy({ $0 == "yes" || $0 == "no" }) else {
            throw UnreadableAnswer(Probe.self, output)
        }
        return Dictionary(uniqueKeysWithValues: zip(questions, lines.map { $0 == "yes" }))
    }
}

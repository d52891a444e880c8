import Engine

/// Whether processes of PostgreSQL work on a data directory, whoever has started them.
struct Postmaster: Fact {
    let directory: String

    /// By the working directory, for a file with a process identifier may be missing or old.
    static func script(for questions: [Postmaster]) -> ShellText {
        definition
            + questions.map { "\nif works_on \(quoting: $0.directory); then echo yes; else echo no; fi" as ShellText }
            .joined()
    }

    /// Shell text that defines `works_on DIRECTORY`.
    static let definition: ShellText = """
        works_on() {
            for link in $(find /proc -mindepth 2 -maxdepth 2 -name cwd -lname "$(readlink -m -- "$1")" 2>/dev/null); do
                ! read -r name 2>/dev/null <"${link%cwd}comm" || [ "$name" != postgres ] || return 0
            done
            return 1
        }
        """

    static func answers(to questions: [Postmaster], from output: String) throws -> [Postmaster: Bool] {
        let lines = output.linesOfText
        guard lines.count == questions.count, lines.allSatisfy(["yes", "no"].contains) else {
            throw UnreadableAnswer(Postmaster.self, output)
        }
        return Dictionary(uniqueKeysWithValues: zip(questions, lines.map { $0 == "yes" }))
    }
}

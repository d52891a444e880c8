import Diagnostics
public import Engine
import Secrets

/// Ensures that apt knows a repository, and the key that it is signed with.
///
/// Both stand in one file, `/etc/apt/sources.list.d/NAME.sources`, so that there is no moment at which one is new and the
/// other old. The file takes its place only after apt has read the repository with it; so its packages are known then,
/// and a repository that cannot be read leaves all as it was. (Keys in such files are known to apt since 2.4: Debian 12,
/// Ubuntu 22.04.)
///
///     try AptRepository(
///         "pgdg", at: ["https://apt.postgresql.org/pub/repos/apt"], suites: ["bookworm-pgdg"], components: ["main"],
///         signedBy: try AptKey(file: "keys/pgdg.asc"))
public struct AptRepository: Resource {
    private let repository: String
    private let uris: [String]
    private let suites: [String]
    private let components: [String]
    private let architectures: [String]
    private let key: AptKey?

    /// - Parameters:
    ///   - repository: what it is called here: letters, digits, hyphens, underscores and dots.
    ///   - uris: where it is: `https://apt.postgresql.org/pub/repos/apt`. Passwords belong in `/etc/apt/auth.conf.d`.
    ///   - suites: `bookworm-pgdg`; or one path that ends with a slash, for a repository without suites.
    ///   - components: `main`; none for a repository without suites.
    ///   - key: nil for a repository that is signed by a key which the host has anyway.
    ///   - architectures: those of the host if empty.
    /// - Throws: `Diagnostic` when a parameter is wrong.
    public init(
        _ repository: String, at uris: [String], suites: [String], components: [String], signedBy key: AptKey?,
        architectures: [String] = []
    ) throws {
        self.repository = repository
        self.uris = uris
        self.suites = suites
        self.components = components
        self.key = key
        self.architectures = architectures
        guard repository.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9_.-]*/) != nil else {
            throw Diagnostic(
                "\(name): apt leaves out a file of this name",
                remedy: "use letters, digits, hyphens, underscores and dots only")
        }
        for word in uris + suites + components + architectures {
            guard !word.isEmpty, !word.contains(where: \.isWhitespace) else {
                throw Diagnostic("\(name): '\(word)' is not one word")
            }
        }
        guard let uri = uris.first, uris.allSatisfy({ $0.contains(":/") }) else {
            throw Diagnostic("\(name): where it is, is no URI", remedy: "write it as https://…")
        }
        let isFlat = suites.count == 1 && suites[0].hasSuffix("/")
        guard !suites.isEmpty, isFlat == components.isEmpty else {
            throw Diagnostic(
                "\(name): its suites and components do not fit together",
                remedy: "name both; or, when the lists of packages stand right below \(uri), the suite './' alone")
        }
    }

    public var name: String { "apt repository \(repository)" }

    private var file: File {
        File(
            "/etc/apt/sources.list.d/\(repository).sources", containing: MaskedText(text), checkedBy: reading)
    }

    private var text: String {
        let fields = [
            ("URIs", uris), ("Suites", suites), ("Components", components), ("Architectures", architectures),
        ].filter { !$0.1.isEmpty }
        let lines = ["Types: deb"] + fields.map { "\($0.0): \($0.1.joined(separator: " "))" }
        // A line of a field that goes on begins with a space, and an empty one has a dot.
        let keyLines = key.map { ["Signed-By:"] + $0.lines.map { $0.isEmpty ? " ." : " \($0)" } } ?? []
        return (lines + keyLines).map { "\($0)\n" }.joined()
    }

    /// Has apt read this repository alone, with the lists of the others left as they are.
    private var reading: ShellText {
        let script: ShellText = """
            \(Apt.patiently)
            folder=$(mktemp -d)
            trap 'rm -rf "$folder"' EXIT
            cp -- "$1" "$folder/drover.sources"
            patiently apt-get -q update -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$folder" \\
                -o APT::Get::List-Cleanup=0 -o APT::Update::Error-Mode=any
            """
        return "sh -e -c \(quoting: script) read"
    }

    public var questions: [any Fact] { file.questions }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try file.changes(given: facts, after: pending)
    }
}

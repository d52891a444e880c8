/// What a run did on one host, as that host wrote it down.
public struct Journal: Hashable, Sendable {
    /// A step of the run.
    public struct Step: Hashable, Sendable {
        /// The exchange and the place in it.
        let position: Position
        public let resource: String
        public let summary: String
        /// Its exit status; nil when it did not come to its end.
        public internal(set) var status: Int32?
        /// Seconds that it took; nil when it did not come to its end.
        public internal(set) var seconds: Double?
        /// Seconds since the host was started.
        fileprivate let began: Double
    }

    struct Position: Hashable, Sendable {
        let batch: Int
        let index: Int
    }

    /// What stood at a path before a step of the run replaced it.
    public struct Kept: Hashable, Sendable {
        /// What was at the path.
        public enum State: Hashable, Sendable {
            case absent
            /// A file, with the SHA-256 of its content in hexadecimal; the content is kept under that name.
            case file(digest: String, mode: String, owner: String, group: String)
            case link(target: String)
            /// A file with a secret that was replaced: its content is not kept, or no longer.
            case secret
            /// Something that cannot be brought back.
            case other
        }

        public let path: String
        public let state: State
    }

    /// The state of a systemd unit before a step of the run changed it.
    public struct Unit: Hashable, Sendable {
        public let name: String
        /// `enabled`, `disabled` …; empty when there was no unit.
        public let unitFile: String
        /// `active`, `inactive` …
        public let active: String
        /// The files that it reads only when it starts.
        public let restartingFiles: [String]
        /// The files that it reads again when it reloads.
        public let reloadingFiles: [String]
    }

    public let run: RunIdentity
    public private(set) var steps: [Step] = []
    /// In the order of the steps; a path comes once for each time it was replaced.
    public private(set) var kept: [Kept] = []
    /// In the order of the steps; a unit comes once for each change of it.
    public private(set) var units: [Unit] = []

    /// Reads a journal, as ``JournalScript`` writes it. A line that was cut, as by a loss of power, is passed over.
    ///
    /// - Returns: nil when the head is missing.
    public init?(_ text: some StringProtocol) {
        var lines = text.split(separator: "\n" as Character)[...]
        let head = lines.popFirst().map { Self.fields(of: $0) } ?? []
        guard head.count == 5, head[0] == "run", head[1] == "1" else { return nil }
        run = RunIdentity(id: head[2], person: head[3], command: head[4])
        for line in lines { read(Self.fields(of: line)) }
    }

    private static func fields(of line: some StringProtocol) -> [String] {
        line.split(separator: "\t" as Character, omittingEmptySubsequences: false).map { String($0) }
    }

    private mutating func read(_ fields: [String]) {
        switch (fields.first, fields.count) {
        case ("begin", 5):
            guard let position = Position(fields[1]), let time = Double(fields[2]) else { return }
            steps.append(Step(position: position, resource: fields[3], summary: fields[4], began: time))
        case ("end", 4):
            guard let position = Position(fields[1]), let time = Double(fields[2]), let status = Int32(fields[3]),
                let index = steps.lastIndex(where: { $0.position == position })
            else { return }
            steps[index].status = status
            steps[index].seconds = time - steps[index].began
        case ("kept", 3):
            guard let state = Kept.State(fields[2]) else { return }
            // Nothing is left of the contents that were kept before.
            if state == .secret { kept.removeAll { $0.path == fields[1] && $0.state.isFile } }
            kept.append(Kept(path: fields[1], state: state))
        case ("unit", 3...):
            let words = fields[2].split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2 else { return }
            func files(_ verb: String) -> [String] {
                fields.dropFirst(3).filter { $0.hasPrefix(verb) }.map { String($0.dropFirst(verb.count)) }
            }
            units.append(
                Unit(
                    name: fields[1], unitFile: words[0], active: words[1], restartingFiles: files("restart:"),
                    reloadingFiles: files("reload:")))
        default: break
        }
    }
}

extension Journal.Position {
    fileprivate init?(_ text: String) {
        let parts = text.split(separator: ".").compactMap { Int($0) }
        guard parts.count == 2 else { return nil }
        self.init(batch: parts[0], index: parts[1])
    }
}

extension Journal.Kept.State {
    fileprivate var isFile: Bool { if case .file = self { true } else { false } }

    fileprivate init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        switch (words.first, words.count) {
        case ("absent", 1): self = .absent
        case ("other", 1): self = .other
        case ("secret", 1): self = .secret
        case ("link", 2): self = .link(target: words[1])
        case ("file", 2):
            let words = words[1].split(separator: " ").map(String.init)
            guard words.count == 4 else { return nil }
            self = .file(digest: words[0], mode: words[1], owner: words[2], group: words[3])
        default: return nil
        }
    }
}

public import Engine
import FoundationEssentials
public import Inventory
import Synchronization
import SystemResources

/// The messages of a cluster's daemons, of all hosts in one order.
public struct ClusterLogs: Sendable {
    /// What else there is to tell when the messages have been told.
    public struct Outcome: Sendable {
        /// The hosts that could not be asked.
        public internal(set) var failures: [HostFailures.Failure] = []
        /// The hosts on which something went wrong, with what they printed about it.
        public internal(set) var complaints: [(host: String, text: String)] = []
        /// The clocks that differ by more than a second, in words.
        public internal(set) var clocks: [String] = []
    }

    /// The cluster has no leader, but the leader's messages are wanted.
    struct NoLeader: Error, CustomStringConvertible {
        var description: String { "no reachable member knows a leader; name hosts instead of 'leader' and 'replica'" }
    }

    private let configuration: ClusterConfiguration
    private let selection: LogSelection
    private let since: LogStart
    private let until: Moment?

    /// - Parameters:
    ///   - words: hosts, as patterns of the inventory, and the names of ``LogRole``. All daemons unless given.
    ///   - units: names of units. All of them unless given.
    ///   - until: the end of what is wanted of the past. Now unless given.
    /// - Throws: `Diagnostics` for a wrong inventory, and for words that name nothing in it.
    public init(
        of inventory: Inventory, _ words: [String], units: [String], since: LogStart, until: Moment? = nil
    ) throws {
        self.until = until
        configuration = try ClusterConfiguration(inventory)
        selection = try LogSelection(words, units: units, of: configuration, in: inventory)
        self.since = since
    }

    /// The hosts that may have something to tell.
    public var hosts: [String] { selection.hosts.map(\.name) }

    /// Reads the messages.
    ///
    /// - Parameters:
    ///   - follows: whether to go on with new messages until it is interrupted.
    ///   - onEntries: called with messages in their order.
    /// - Throws: `CancellationError` when it is interrupted before its end.
    public func read(
        follows: Bool, settings: ConnectionSettings, interruption: Interruption,
        onEntries: @escaping @Sendable ([LogEntry]) -> Void
    ) async throws -> Outcome {
        let (ready, leader, asked) = await ask(settings)
        if selection.needsLeader, leader == nil, !ready.isEmpty { throw NoLeader() }
        let units = selection.units(leader: leader)
        let hosts = ready.filter { units[$0.name] != nil }
        let start = since.seconds(at: Int(Date().timeIntervalSince1970))
        let members = Set(configuration.members.map(\.name))
        let command = HostCommand(settings: settings, parallel: max(1, hosts.count), interruption: interruption) {
            LogScript(
                units: units[$0.name] ?? [], directory: members.contains($0.name) ? configuration.logDirectory : nil,
                since: start, until: until.map { $0.microseconds / 1_000_000 }, follows: follows
            ).text
        }
        let merge = Mutex(LogMerge(hosts: hosts.map(\.name), since: Moment(seconds: start)))
        let outcome = Mutex(asked)
        let telling = follows ? Task { try await tell(merge, to: onEntries) } : nil
        defer { telling?.cancel() }
        do {
            _ = try await command.run(on: hosts) { host, result in
                merge.withLock { $0.end(host.name) }
                outcome.withLock { $0.note(result, of: host) }
            } onOutput: { host, stream, bytes in
                switch stream {
                case .standardOutput: merge.withLock { $0.add(bytes, from: host.name) }
                case .standardError: outcome.withLock { $0.note(String(decoding: bytes, as: UTF8.self), of: host) }
                }
            }
        } catch is CancellationError where follows {}
        let last = merge.withLock { $0.takeAll() }
        // A file of PostgreSQL is read as a whole.
        onEntries(until.map { end in last.filter { $0.time <= end } } ?? last)
        return outcome.withLock { $0 }
    }

    /// Waits a little, so that what hosts print at the same time comes in its order.
    private func tell(_ merge: borrowing Mutex<LogMerge>, to onEntries: @Sendable ([LogEntry]) -> Void) async throws {
        while true {
            try await Task.sleep(for: .milliseconds(200))
            onEntries(merge.withLock { $0.take() })
        }
    }

    /// Asks the hosts for their clocks and for the leader.
    private func ask(_ settings: ConnectionSettings) async -> (ready: [Host], leader: String?, Outcome) {
        let questions = ClusterQuestions(configuration: configuration)
        let answers = await Survey.ask(selection.hosts, settings: settings) { host, _ in
            var facts: [any Fact] = [ClockReading()]
            for node in configuration.members where node.name == host.name && selection.needsLeader {
                facts.append(PatroniStatus.cluster(at: questions.api(node)))
            }
            return facts
        }
        var (outcome, ready, observed) = (Outcome(), [Host](), Observations())
        var readings: [(host: String, reading: ClockReading.Answer)] = []
        for (host, answer) in answers {
            switch answer {
            case .success(let facts):
                observed[host] = facts
                ready.append(host)
                if let reading = facts.ifKnown(ClockReading()) { readings.append((host.name, reading)) }
            case .failure(let error): outcome.failures.append(.init(host: host, error: error))
            }
        }
        outcome.clocks = ClockReading.deviations(among: readings).map {
            "the clock of \($0.host) is \($0.words) that of \($0.reference)"
        }
        return (ready, questions.members(given: observed).first(where: \.isLeader)?.name, outcome)
    }
}

extension ClusterLogs.Outcome {
    fileprivate mutating func note(_ result: Result<Int32, any Error>, of host: Host) {
        switch result {
        case .success(0): break
        case .success(let status): note("the command ended with exit status \(status)", of: host)
        case .failure(is CancellationError): break
        case .failure(let error): failures.append(.init(host: host, error: error))
        }
    }

    fileprivate mutating func note(_ text: String, of host: Host) {
        for line in text.split(whereSeparator: \.isNewline) { complaints.append((host.name, String(line))) }
    }
}

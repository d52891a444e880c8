/// What a message of a member tells about the leadership.
enum LeaderSign: Hashable, Sendable {
    /// The member has the lock, and is the leader.
    case leads
    /// The member follows a leader.
    case follows(String)
    /// Somebody wants another leader.
    case wanted(String)
    /// The fence stops PostgreSQL.
    case fenced(String)
    /// A process of PostgreSQL, and with it the server, ended on its own.
    case crashed(String)
    /// PostgreSQL had no room.
    case full
    /// systemd stops Patroni, as it was told.
    case stopped
    /// A signal ended Patroni.
    case killed(String)
    /// Patroni cannot reach etcd.
    case cutOff
    /// Patroni could not renew the lock.
    case notRenewed
    /// Patroni takes the leadership from its PostgreSQL.
    case demotes(String)
    /// PostgreSQL shuts down.
    case shutsDown(String)
    /// Patroni begins.
    case begins
    /// Patroni of another member does not answer this one.
    case unanswered(String)
    /// Patroni promotes its PostgreSQL.
    case promotes
    /// PostgreSQL begins a timeline.
    case timeline(Int)
    /// PostgreSQL accepts writes.
    case isReady
    /// The data of a former leader are made those of the new one.
    case rewinds

    init?(_ entry: LogEntry) {
        let text = entry.message
        guard let sign = Self.ofPatroni(text) ?? Self.ofPostgres(text) ?? Self.ofUnit(text, entry.unit) else {
            return nil
        }
        self = sign
    }

    private static func ofPatroni(_ text: String) -> LeaderSign? {
        if text.has("the leader with the lock") { return .leads }
        if text.has("following "), let found = text.firstMatch(of: /following (?:a|new) leader \((\S+)\)/)?.output {
            return .follows("\(found.1)")
        }
        if text.has(" request with leader="),
            let found = text.firstMatch(
                of: /received (.{1,30}) request with leader=(\S+) candidate=(\S+) scheduled_at=(\S+)/)?.output
        {
            let candidate = found.3 == "None" ? "" : " to \(found.3)"
            let time = found.4 == "None" ? "" : " at \(found.4)"
            return .wanted("\(found.1)\(candidate)\(time)")
        }
        if text.has("Patroni has not run for "),
            let found = text.firstMatch(of: /Patroni has not run for ([0-9.]+) s.*: stopping PostgreSQL/)?.output
        {
            return .fenced("\(found.1)")
        }
        if text.has("DCS is not accessible") { return .cutOff }
        if text.has("failed to update leader lock in DCS") { return .notRenewed }
        if text.has("Demoting self ("), let found = text.firstMatch(of: /Demoting self \((\S+)\)/)?.output {
            return .demotes("\(found.1)")
        }
        if text.has("Request failed to "), let found = text.firstMatch(of: /Request failed to (\S+): GET/)?.output {
            return .unanswered("\(found.1)")
        }
        if text.has("promoted self to leader") { return .promotes }
        if text.has("running pg_rewind from") { return .rewinds }
        return nil
    }

    private static func ofPostgres(_ text: String) -> LeaderSign? {
        if text.has("No space left on device") { return .full }
        if text.has("PANIC:") { return .crashed(text.split(separator: "PANIC:").last.map(trimmed) ?? "panic") }
        if text.has(" was terminated by signal "),
            let found = text.firstMatch(of: /server process \(PID \d+\) was terminated by signal (\d+)/)?.output
        {
            return .crashed("signal \(found.1) ended one of its processes")
        }
        if text.has("terminating connection due to unexpected postmaster exit") {
            return .crashed("its main process ended unexpectedly")
        }
        if text.has(" shutdown request"), let found = text.firstMatch(of: /received (\w+) shutdown request/)?.output {
            return .shutsDown("\(found.1)")
        }
        if text.has("selected new timeline ID: "),
            let found = text.firstMatch(of: /selected new timeline ID: (\d+)/)?.output
        {
            return Int(found.1).map(LeaderSign.timeline)
        }
        if text.has("database system is ready to accept connections") { return .isReady }
        return nil
    }

    private static func ofUnit(_ text: String, _ unit: String) -> LeaderSign? {
        guard unit == "patroni" else { return nil }
        if text.hasPrefix("Stopping patroni.service") { return .stopped }
        if text.hasPrefix("Started patroni.service") { return .begins }
        if text.has("Main process exited, code="),
            let found = text.firstMatch(of: /Main process exited, code=(?:killed|dumped), status=\d+\/(\w+)/)?.output
        {
            return .killed("\(found.1)")
        }
        return nil
    }

    private static func trimmed(_ text: Substring) -> String { String(text.drop { $0 == " " }) }
}

extension LeaderSign {
    /// What happened, without the member, as an event of a story; nil for what happens all the time.
    var words: String? {
        switch self {
        case .leads, .follows: nil
        case .wanted(let what): "Patroni is asked for a \(what)"
        case .fenced(let seconds): "the fence stops PostgreSQL: Patroni has not run for \(seconds) s"
        case .crashed(let how): "PostgreSQL crashes: \(how)"
        case .full: "PostgreSQL has no room on its disk"
        case .stopped: "systemd is told to stop Patroni"
        case .killed(let signal): "signal \(signal) ends Patroni"
        case .cutOff: "Patroni cannot reach etcd"
        case .notRenewed: "Patroni cannot renew the leader lock"
        case .demotes(let mode): "Patroni demotes PostgreSQL (\(mode))"
        case .shutsDown(let mode): "PostgreSQL shuts down (\(mode))"
        case .begins: "Patroni starts"
        case .unanswered(let member): "Patroni of \(member) does not answer"
        case .promotes: "Patroni promotes PostgreSQL"
        case .timeline(let timeline): "PostgreSQL begins timeline \(timeline)"
        case .isReady: "PostgreSQL accepts writes"
        case .rewinds: "pg_rewind makes the data those of the new leader"
        }
    }

    /// Whether PostgreSQL takes no more writes.
    var endsWrites: Bool {
        switch self {
        case .fenced, .crashed, .demotes, .shutsDown: true
        default: false
        }
    }

    /// Why a member that shows this sign leads no longer; nil for a sign that is a consequence.
    func cause(on member: String) -> String? {
        switch self {
        case .fenced: "Patroni on \(member) did not run, and the fence stopped PostgreSQL"
        case .crashed(let how): "PostgreSQL on \(member) crashed: \(how)"
        case .full: "PostgreSQL on \(member) had no room on its disk"
        case .stopped: "Patroni on \(member) was stopped"
        case .killed(let signal): "Patroni on \(member) was killed (\(signal))"
        case .cutOff: "Patroni on \(member) could not reach etcd"
        case .notRenewed: "Patroni on \(member) could not renew its leader lock in etcd"
        case .leads, .follows, .wanted, .demotes, .shutsDown, .begins, .unanswered, .promotes, .timeline, .isReady,
            .rewinds:
            nil
        }
    }
}

extension String {
    /// Whether the text contains a word. Patterns are looked for only behind it: one that is tried at each character of each
    /// message takes 70 µs a message, and a busy cluster writes thousands a minute.
    fileprivate func has(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        let wanted = UnsafeBufferPointer(start: word.utf8Start, count: length)
        var copy = self
        return copy.withUTF8 { bytes in
            guard bytes.count >= length else { return false }
            return (0...bytes.count - length).contains { start in
                bytes[start] == wanted[0] && bytes[start..<start + length].elementsEqual(wanted)
            }
        }
    }
}

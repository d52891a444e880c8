/// Ensures that something has become true before the play is done: that a daemon answers, that a replica streams.
///
/// It watches the sign of failure beside the sign of success, so that waiting for what can no longer happen ends
/// at once, with the last lines of the unit's journal.
public struct Condition: Resource {
    private let sentence: String
    private let signs: [any Fact]
    private let isMet: @Sendable (Facts) throws -> Bool
    private let test: ShellText
    private let unit: String?
    private let failure: ShellText?
    private let timeout: Int
    private let progress: ShellText?
    private let advice: String?
    private let unsettlingFiles: [String]

    /// - Parameters:
    ///   - sentence: what is waited for: `etcd has a quorum`.
    ///   - signs: the facts from which plan and verify learn whether it is true.
    ///   - test: the shell text that says the same while waiting, by its exit status. What it prints is thrown away.
    ///   - unit: the systemd unit whose failure ends the waiting, and whose journal is quoted; nil when another host is waited
    ///     for.
    ///   - failure: a further sign that waiting is in vain, a shell text that then succeeds.
    ///   - timeout: in seconds.
    ///   - progress: a shell text that prints in one line how far it is, for who waits.
    ///   - advice: what to do when `failure` has shown itself, in one line.
    ///   - unsettlingFiles: the files that, written earlier in the play, leave open what was observed.
    ///   - isMet: whether the facts say that it is true.
    public init(
        _ sentence: String, signs: [any Fact], test: ShellText, unit: String?, failure: ShellText? = nil, timeout: Int,
        progress: ShellText? = nil, advice: String? = nil, unsettlingFiles: [String] = [],
        isMet: @escaping @Sendable (Facts) throws -> Bool
    ) {
        self.sentence = sentence
        self.signs = signs
        self.isMet = isMet
        self.test = test
        self.unit = unit
        self.failure = failure
        self.timeout = timeout
        self.progress = progress
        self.advice = advice
        self.unsettlingFiles = unsettlingFiles
    }

    public var name: String { "condition \(sentence)" }

    public var questions: [any Fact] { signs }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let unsettling = (unit.map { [.starts($0)] } ?? []) + unsettlingFiles.map(Effect.writes)
        if try isMet(facts), !unsettling.contains(where: pending.contains) { return [] }
        return [Change("wait until \(sentence)", .wait, script: script)]
    }

    /// What shows that it is true may change all the time, as counters do.
    public func essence(given facts: Facts) throws -> String { "\(try isMet(facts))" }

    /// Now and then: to find it out may cost more than the test.
    private var telling: ShellText {
        guard let progress else { return ":" }
        return """
            if [ "$(date +%s)" -ge "${next:=0}" ]; then
                    printf '\(trusted: StepProgress.mark, because: "it is written in the source")%s\\n' "$(\(progress))"
                    next=$(( $(date +%s) + 3 ))
                fi
            """
    }

    /// The journal is quoted from a minute before the waiting on, so that no old failure is blamed. (Told both since when
    /// and how many lines, journalctl would show the first ones.)
    private var journal: ShellText {
        guard let unit else { return ":" }
        return """
            echo "the last lines of the journal of \(inDoubleQuotes: unit):"
                journalctl --unit=\(quoting: unit) --since="@$since" --no-pager --output=cat | tail -n 20
            """
    }

    /// What ends the waiting, beside its limit.
    private var failures: ShellText {
        var lines: [ShellText] = []
        if let unit {
            lines.append("! systemctl is-failed --quiet \(quoting: unit) || give_up \(quoting: "\(unit) has failed")")
        }
        if let failure {
            let words = [unit.map { "\($0) runs, but what it is for has failed" }, advice].compactMap(\.self)
            lines.append("! { \(failure)\n    } >/dev/null 2>&1 || give_up \(words: words)")
        }
        return lines.isEmpty ? ":" : lines.joined(separator: "\n    ")
    }

    private var script: ShellText {
        """
        since=$(( $(date +%s) - 60 )) deadline=$(( $(date +%s) + \(timeout) ))
        give_up() {
            printf '%s\\n' "$@"
            \(journal)
            exit 1
        }
        until { \(test)
        } >/dev/null 2>&1; do
            \(failures)
            [ "$(date +%s)" -lt "$deadline" ] || give_up "\(timeout) seconds were not enough"
            \(telling)
            sleep 0.2
        done
        """
    }
}

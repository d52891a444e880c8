import Secrets

/// Ensures that something has become true before the play is done: that a daemon answers, that a replica streams.
///
/// It watches the sign of failure beside the sign of success, so that waiting for what can no longer happen ends
/// at once, with the last lines of the unit's journal.
public struct Condition<Sign: Fact>: Resource {
    private let sentence: String
    private let sign: Sign
    private let isMet: @Sendable (Sign.Answer) -> Bool
    private let test: String
    private let unit: String
    private let failure: String?
    private let timeout: Int

    /// - Parameters:
    ///   - sentence: what is waited for: `etcd has a quorum`.
    ///   - sign: the fact from which plan and verify learn whether it is true.
    ///   - isMet: whether the fact's answer says so.
    ///   - test: the shell text that says the same while waiting, by its exit status. It must not print.
    ///   - unit: the systemd unit whose failure ends the waiting, and whose journal is quoted.
    ///   - failure: a further sign of failure: a shell text that succeeds, and prints why, when waiting is in vain.
    ///   - timeout: in seconds.
    public init(
        _ sentence: String, sign: Sign, isMet: @escaping @Sendable (Sign.Answer) -> Bool,
        test: String, unit: String, failure: String? = nil, timeout: Int
    ) {
        self.sentence = sentence
        self.sign = sign
        self.isMet = isMet
        self.test = test
        self.unit = unit
        self.failure = failure
        self.timeout = timeout
    }

    public var name: String { "condition \(sentence)" }

    public var questions: [any Fact] { [sign] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try isMet(facts[sign]), !pending.contains(.starts(unit)) { return [] }
        return [Change("wait until \(sentence)", script: MaskedText(script))]
    }

    /// The journal is quoted from the start of the waiting on, less a little, so that an old failure is not blamed.
    private var script: String {
        """
        since=$(date +%s) deadline=$(( $(date +%s) + \(timeout) ))
        give_up() {
            printf '%s\\n' "$1" "the last lines of the journal of \(unit):"
            journalctl --unit=\(Shell.quote(unit)) --since="@$((since - 60))" --lines=20 --no-pager --output=cat
            exit 1
        }
        until { \(test)
        } >/dev/null 2>&1; do
            ! systemctl is-failed --quiet \(Shell.quote(unit)) || give_up "\(unit) has failed"
            \(failure.map { "! why=$({ \($0)\n}) || give_up \"$why\"" } ?? ":")
            [ "$(date +%s)" -lt "$deadline" ] || give_up "\(timeout) seconds were not enough"
            sleep 0.1
        done
        """
    }
}

extension Condition where Sign == Probe {
    /// A condition whose sign is the success of a shell text.
    public init(_ sentence: String, test: String, unit: String, failure: String? = nil, timeout: Int) {
        self.init(
            sentence, sign: Probe(test), isMet: { $0 }, test: test, unit: unit, failure: failure, timeout: timeout)
    }
}

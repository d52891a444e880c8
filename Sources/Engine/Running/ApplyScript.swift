/// The one script that carries out all steps of a play on a host and tells of each as it begins and ends.
struct ApplyScript {
    private let steps: [HostPlan.Step]
    private let journal: JournalScript
    let nonce: String

    init(_ steps: [HostPlan.Step], journal: JournalScript, nonce: String) {
        self.steps = steps
        self.journal = journal
        self.nonce = nonce
    }

    /// Each step runs in a subshell of its own with nothing to read; the first that fails ends the script with its
    /// status. A step's two outputs are joined, so that people read them in the order in which they were written.
    /// Between two steps the script ends when it was asked to, or when its controller is gone.
    var text: ShellText {
        var text: ShellText = "exec </dev/null 2>&1\n\(ForkCount.begin)\n\(journal.opening)\(JournalScript.functions)"
        text += "tell() { printf '\\036%s %s %s\\n' \(quoting: nonce) \"$@\"; }\n"
        for (index, step) in steps.enumerated() {
            text += "[ ! -e \"$DROVER_HALT\" ] || { tell halt \(index); exit 0; }\n"
            text += "\(journal.begin(index, step)); tell begin \(index)\n( set -e\n"
            text += step.change.script
            // Not `( … ) || status=$?`, which would switch `set -e` off inside.
            text += "\n); status=$?; \(journal.end(index)); tell end $status\n"
            text += "[ $status = 0 ] || { \(journal.closing); exit $status; }\n"
        }
        text += "\(journal.closing)\n"
        text += "tell forks \"$(\(ForkCount.end))\"\n"
        return text
    }

    var mustFinish: Bool { steps.contains(where: \.change.mustFinish) }
}

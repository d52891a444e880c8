/// Follows the steps of a host's part of a play while they run.
struct StepProgress {
    /// With this begins a line by which a step tells how far it is.
    static let mark = "progress: "
    /// With this begins a line that is for the person, also when the step ends well.
    static let word = "told: "

    private let plan: HostPlan
    private let play: String
    private let reporter: any Reporter
    private let clock = ContinuousClock()
    private var began: ContinuousClock.Instant?
    /// How many steps have ended well.
    private var ended = 0
    /// Whether a step was begun and has not ended.
    private var isInStep = false
    /// What the current step has printed.
    private var output = KeptLines()
    /// Why the steps do not go on, when they do not.
    private(set) var failure: HostFailure?

    init(plan: HostPlan, play: String, reporter: any Reporter) {
        self.plan = plan
        self.play = play
        self.reporter = reporter
    }

    /// The steps that have ended well.
    var done: [HostPlan.Step] { Array(plan.steps.prefix(ended)) }
    /// The step that was begun and has not ended well.
    var current: HostPlan.Step? { isInStep ? plan.steps[ended] : nil }
    var notBegun: [HostPlan.Step] { Array(plan.steps.dropFirst(isInStep ? ended + 1 : ended)) }
    var isComplete: Bool { ended == plan.steps.count }

    /// Takes what is told while the steps run.
    mutating func take(_ event: ApplyOutput.Event) {
        switch event {
        case .began(let step) where step == ended && step < plan.steps.count:
            isInStep = true
            began = clock.now
            output.removeAll()
            reporter.report(
                .stepBegan(
                    host: plan.host, play: play, step: plan.steps[step], number: step + 1, count: plan.steps.count))
        case .printed(let line) where line.hasPrefix(StepProgress.mark):
            reporter.report(.stepProgressed(host: plan.host, text: String(line.dropFirst(StepProgress.mark.count))))
        case .printed(let line) where line.hasPrefix(StepProgress.word):
            reporter.report(.stepTold(host: plan.host, text: String(line.dropFirst(StepProgress.word.count))))
        case .printed(let line): output.append(line)
        case .ended(status: let status) where isInStep: end(status)
        case .halted: failure = .interrupted(during: nil, notBegun: notBegun)
        case .began, .ended, .forked: break
        }
    }

    /// Takes the exit status of the script. One that ended before its time, as when it cannot be parsed, has failed.
    mutating func finish(_ status: Int32) {
        guard failure == nil, !isComplete else { return }
        failure = .step(
            plan.steps[ended], status: status, output: output.lines, notBegun: Array(plan.steps.dropFirst(ended + 1)))
    }

    /// Takes what the host's journal says of the steps that it has begun, after the connection was lost.
    ///
    /// - Parameter statuses: by the place of the step; nil for one that did not come to its end.
    mutating func take(_ statuses: [Int: Int32?]) {
        while ended < plan.steps.count, let status = statuses[ended] {
            if !isInStep { take(.began(step: ended)) }
            guard let status else { break }
            output.append("(what it printed was lost with the connection)")
            end(status)
            if failure != nil { return }
        }
        // What was begun and ended with the connection is found by looking at the host.
        isInStep = false
    }

    private mutating func end(_ status: Int32) {
        let step = plan.steps[ended]
        guard status == 0 else {
            failure = .step(step, status: status, output: output.lines, notBegun: notBegun)
            return
        }
        let seconds = began.map { (clock.now - $0) / .seconds(1) } ?? 0
        ended += 1
        isInStep = false
        reporter.report(.stepEnded(host: plan.host, play: play, step: step, seconds: seconds))
    }
}

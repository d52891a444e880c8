import Engine
import FoundationEssentials
import Inventory

/// One line of `--json`: a JSON object, its keys sorted, without the keys that have no value.
///
/// Every line has `event` and `time` (UTC, ISO 8601, milliseconds). The first line is always `begin`; a run that came to
/// its end has one `finished`; what ends the program before that, or afterwards, is one `error`.
///
/// | `event` | further keys |
/// |---|---|
/// | `begin` | `version` of this form, now 1; `drover`, the program's version; `command`, `playbook`, `inventory`, `person` |
/// | `hostEntered` | `host`, `phase` (`connecting`, `waitingForLock`, `gathering`, `applying`, `verifying`, `reconnecting`, `waiting`), `detail`: who holds the lock, or why the connection was lost |
/// | `planned` | `changes`, how many; `confirm`: the words for `--confirm`, where a yes is not enough; `notices`: `hosts`, `text`; `plays`: `name`, `hosts`: `host`, `steps`: `resource`, `summary`, `kind` (`create`, `change`, `remove`, `restart`, `stop`, `wait`), `ownership` of what is written, `source`, `diff` in lines |
/// | `playBegan` | `play` |
/// | `stepBegan` | `host`, `play`, `step`: `resource`, `summary`, `kind`, `ownership`, `source`; `number` of `count` |
/// | `stepTold` | `host`, `text`: what a step has found out for the person |
/// | `stepEnded` | `host`, `play`, `step`, `seconds` |
/// | `hostFailed` | `host`, `summary`, `resource`, `source`, `exitStatus` of the step; `script`, `output`, `wanted`, `notBegun` in lines; `advice`; `status`, which the program would exit with for this alone |
/// | `stopping` | |
/// | `finished` | `status`: what the program exits with; `seconds`; `recap`: `host`, `ok`, `changed`, `unreachable`, `failed`, `skipped`; `costs`: `controllerSeconds`, `resources`, and `hosts` by name |
/// | `error` | `message`, `status` |
///
/// Secrets are masked in all of them. Keys and events may be added without another `version`.
struct EventLine: Encodable {
    /// The version of this form.
    static let version = 1

    private let fields: [String: any Encodable]

    private init(_ event: String, at time: Date, _ fields: [String: (any Encodable)?] = [:]) {
        let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        self.fields = fields.compactMapValues(\.self).merging(["event": event, "time": format.format(time)]) { $1 }
    }

    init(_ event: RunEvent, at time: Date) {
        switch event {
        case .hostEntered(let host, let phase):
            self.init("hostEntered", at: time, ["host": host.name, "phase": phase.name, "detail": phase.detail])
        case .planned(let plan):
            self.init("planned", at: time, PlanEvent(plan).fields)
        case .playBegan(let name):
            self.init("playBegan", at: time, ["play": name])
        case .stepBegan(let host, let play, let step, let number, let count):
            self.init(
                "stepBegan", at: time,
                ["host": host.name, "play": play, "step": PlanEvent.Step(step), "number": number, "count": count])
        case .stepProgressed(let host, let text):
            self.init("stepProgressed", at: time, ["host": host.name, "text": text])
        case .stepTold(let host, let text):
            self.init("stepTold", at: time, ["host": host.name, "text": text])
        case .stepEnded(let host, let play, let step, let seconds):
            self.init(
                "stepEnded", at: time,
                ["host": host.name, "play": play, "step": PlanEvent.Step(step), "seconds": rounded(seconds)])
        case .hostFailed(let host, let failure):
            self.init("hostFailed", at: time, Self.fields(of: failure, on: host))
        case .stopping:
            self.init("stopping", at: time)
        case .finished(let result):
            self.init("finished", at: time, ResultEvent(result).fields)
        }
    }

    /// The first line. Nothing is told of a run that cannot even begin.
    init(_ heading: RunHeading?, at time: Date) {
        self.init(
            "begin", at: time,
            [
                "version": Self.version, "drover": ProgramVersion.current, "command": heading?.command,
                "playbook": heading?.playbook, "inventory": heading?.inventory, "person": heading?.person,
            ])
    }

    init(error: String, status: ExitStatus, at time: Date) {
        self.init("error", at: time, ["message": error, "status": status.rawValue])
    }

    private static func fields(of failure: HostFailure, on host: Host) -> [String: (any Encodable)?] {
        let account = FailureAccount(failure, on: host)
        func lines(_ lines: [String]) -> [String]? { lines.isEmpty ? nil : lines }
        return [
            "host": host.name, "status": failure.exitStatus(on: host).rawValue, "summary": account.title,
            "resource": account.resource, "source": account.source, "exitStatus": account.exitStatus,
            "script": lines(account.command), "output": lines(account.quotations.flatMap(\.lines)),
            "wanted": lines(account.wanted), "notBegun": lines(account.notBegun), "advice": account.advice,
        ]
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, value) in fields { try container.encode(value, forKey: Key(stringValue: key)) }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// Nobody reads more than milliseconds.
func rounded(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }

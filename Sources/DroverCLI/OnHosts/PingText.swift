import Engine
import FoundationEssentials
import Inventory

/// What hosts have answered to a ping.
struct PingText {
    let outcomes: [(host: Host, outcome: Result<Ping.Answer, any Error>)]

    var failures: [HostFailures.Failure] {
        outcomes.compactMap { host, outcome in
            if case .failure(let error) = outcome { HostFailures.Failure(host: host, error: error) } else { nil }
        }
    }

    /// A table of all hosts. Why some did not answer is told below it.
    var lines: [String] {
        Text.table(
            [["host", "login", "works as", "opening", "exchange"]]
                + outcomes.map { host, outcome in
                    switch outcome {
                    case .success(let answer):
                        [
                            host.name, answer.login, answer.user, Text.seconds(answer.opening / .seconds(1)),
                            Text.milliseconds(answer.exchange / .milliseconds(1)),
                        ]
                    case .failure(let error):
                        [host.name, Self.word(for: HostFailures([.init(host: host, error: error)]).exitStatus)]
                    }
                })
    }

    /// An object for each host.
    var json: [TerminalText] {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try outcomes.map { host, outcome in
                TerminalText(json: try encoder.encode(Line(host, outcome)))
            }
        }
    }

    private static func word(for status: ExitStatus) -> String {
        switch status {
        case .unreachable: "unreachable"
        case .loginRefused: "refused"
        case .interrupted: "interrupted"
        default: "failed"
        }
    }

    private struct Line: Encodable {
        let host: String
        let status: String
        var login: String?
        var user: String?
        var openingSeconds: Double?
        var exchangeSeconds: Double?
        var error: String?

        init(_ host: Host, _ outcome: Result<Ping.Answer, any Error>) {
            self.host = host.name
            switch outcome {
            case .success(let answer):
                status = "ok"
                (login, user) = (answer.login, answer.user)
                openingSeconds = answer.opening / .seconds(1)
                exchangeSeconds = answer.exchange / .seconds(1)
            case .failure(let error):
                status = PingText.word(for: HostFailures([.init(host: host, error: error)]).exitStatus)
                self.error = "\(error)"
            }
        }
    }
}

extension Text {
    /// `0.8 ms`, `12.3 ms`.
    static func milliseconds(_ milliseconds: Double) -> String {
        let tenths = Int((milliseconds * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }
}

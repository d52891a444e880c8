import Engine
import FoundationEssentials

/// By how many seconds a host's clock is ahead of this machine's.
///
/// The host is asked after the question was written and answers before the answer is read, so the truth lies between two
/// bounds, which are as far apart as the whole exchange was long.
struct ClockReading: Fact {
    struct Answer: Hashable, Sendable {
        var least: Double
        var most: Double
    }

    static func script(for questions: [ClockReading]) -> ShellText {
        "printf '%s ' \(trusted: "\(Date().timeIntervalSince1970)", because: "it is a number"); date +%s.%N"
    }

    static func answers(to questions: [ClockReading], from output: String) throws -> [ClockReading: Answer] {
        let times = output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard times.count == 2, times.allSatisfy({ abs($0) < 1e12 }) else {
            throw UnreadableAnswer(ClockReading.self, output)
        }
        return [
            ClockReading(): Answer(least: times[1] - Date().timeIntervalSince1970, most: times[1] - times[0])
        ]
    }

    static func essence(of answer: Answer) -> String { "" }
}

extension ClockReading {
    /// A clock that differs from that of most hosts.
    struct Deviation: Hashable, Sendable {
        let host: String
        let reference: String
        /// By how much it is ahead; negative when it is behind.
        let seconds: Double

        /// `about 5.1 s ahead of`.
        var words: String {
            let tenths = Int((abs(seconds) * 10).rounded())
            return "about \(tenths / 10).\(tenths % 10) s \(seconds > 0 ? "ahead of" : "behind")"
        }
    }

    /// The clocks that are surely further than `limit` seconds from the one in the middle.
    static func deviations(
        among readings: [(host: String, reading: Answer)], limit: Double = 1
    ) -> [Deviation] {
        let ordered = readings.sorted { $0.reading.middle < $1.reading.middle }
        guard let reference = ordered.isEmpty ? nil : ordered[(ordered.count - 1) / 2] else { return [] }
        return readings.filter { host in
            host.reading.least - reference.reading.most > limit || reference.reading.least - host.reading.most > limit
        }.map {
            Deviation(
                host: $0.host, reference: reference.host, seconds: $0.reading.middle - reference.reading.middle)
        }
    }
}

extension ClockReading.Answer {
    fileprivate var middle: Double { (least + most) / 2 }
}

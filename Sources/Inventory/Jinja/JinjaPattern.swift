/// A regular expression of an inventory.
struct JinjaPattern {
    private let regex: Regex<AnyRegexOutput>

    init(_ pattern: String, ignoresCase: Bool = false) throws(JinjaFault) {
        do {
            let regex = try Regex(pattern)
            self.regex = ignoresCase ? regex.ignoresCase() : regex
        } catch {
            throw JinjaFault("'\(pattern)' is no regular expression")
        }
    }

    func matches(atStartOf text: String) -> Bool { (try? regex.prefixMatch(in: text)) != nil }

    func firstMatch(in text: String) -> String? {
        (try? regex.firstMatch(in: text)).map { String(text[$0.range]) }
    }

    /// - Parameter replacement: with `\1` or `\g<1>` for what a group has matched.
    func replacing(in text: String, with replacement: String) -> String {
        text.replacing(regex) { match in
            replacement.replacing(/\\(?:\\|g<([0-9]+)>|([0-9]))/) { reference in
                if reference.output.0 == #"\\"# { return #"\"# }
                let number = (reference.output.1 ?? reference.output.2).flatMap { Int($0) } ?? 0
                guard match.output.indices.contains(number) else { return "" }
                return match.output[number].substring.map(String.init) ?? ""
            }
        }
    }
}

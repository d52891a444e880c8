extension JinjaFilters {
    private static func changing(_ change: @escaping @Sendable (String) -> String) -> Filter {
        { value, _ throws(JinjaFault) in .string(change(try value.text())) }
    }

    /// Those that make a text of a text.
    static let texts: [String: Filter] = [
        "lower": changing { $0.lowercased() },
        "upper": changing { $0.uppercased() },
        "capitalize": changing { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() },
        "title": changing { text in
            var isFirst = true
            return String(
                text.flatMap { character -> String in
                    defer { isFirst = character.isWhitespace || "-([{<".contains(character) }
                    return isFirst ? character.uppercased() : character.lowercased()
                })
        },
        "string": changing { $0 },
        "dirname": changing { path in
            guard let slash = path.lastIndex(of: "/") else { return "" }
            let folder = path[..<slash].droppingSlashes
            return folder.isEmpty ? "/" : folder
        },
        "basename": changing { path in path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path },
        "quote": changing { text in
            let isPlain = text.wholeMatch(of: /[A-Za-z0-9@%+=:,.\/_-]+/) != nil
            return isPlain ? text : "'" + text.replacing("'", with: "'\"'\"'") + "'"
        },
        "trim": { value, call throws(JinjaFault) in
            let text = try value.text()
            let signs = try call.text(0, "chars")
            return .string(text.trimming { signs?.contains($0) ?? $0.isWhitespace })
        },
        "replace": { value, call throws(JinjaFault) in
            let (text, old) = (try value.text(), try call.required(0, "old").text())
            let count = try call.int(2, "count")
            return .string(
                text.replacingText(old, with: try call.required(1, "new").text(), atMost: count ?? Int.max))
        },
        "split": { value, call throws(JinjaFault) in
            .list(try value.text().split(by: try call.text(0), atMost: try call.int(1)).map(JinjaValue.string))
        },
        "truncate": { value, call throws(JinjaFault) in
            let text = try value.text()
            let length = try call.int(0, "length") ?? 255
            let end = try call.text(2, "end") ?? "..."
            let leeway = try call.int(3, "leeway") ?? 5
            if text.count <= length + leeway { return .string(text) }
            let head = text.prefix(max(0, length - end.count))
            if try call.truth(1, "killwords") { return .string(head + end) }
            return .string((head.lastIndex(of: " ").map { head[..<$0] } ?? head) + end)
        },
        "regex_replace": { value, call throws(JinjaFault) in
            let text = try value.text()
            let pattern = try JinjaPattern(
                try call.text(0, "pattern") ?? "", ignoresCase: try call.truth(2, "ignorecase"))
            return .string(pattern.replacing(in: text, with: try call.text(1, "replacement") ?? ""))
        },
        "regex_search": { value, call throws(JinjaFault) in
            let pattern = try JinjaPattern(
                try call.required(0).text(), ignoresCase: try call.truth(9, "ignorecase"))
            return pattern.firstMatch(in: try value.text()).map(JinjaValue.string) ?? .none
        },
        "regex_escape": changing { text in
            text.map { ".^$*+?{}[]\\|()-/ ".contains($0) && $0 != "/" ? "\\\($0)" : "\($0)" }.joined()
        },
    ]
}

extension StringProtocol {
    /// Without the characters at both ends for which the test holds.
    func trimming(_ isTrimmed: (Character) -> Bool) -> String {
        var rest = Substring(self)
        while let first = rest.first, isTrimmed(first) { rest.removeFirst() }
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return String(rest)
    }

    /// Without slashes at its end.
    fileprivate var droppingSlashes: String {
        var rest = Substring(self)
        while rest.last == "/" { rest.removeLast() }
        return String(rest)
    }

    /// As Python's `str.replace`.
    func replacingText(_ old: String, with new: String, atMost count: Int) -> String {
        old.isEmpty ? String(self) : String(self).replacing(old, with: new, maxReplacements: Swift.max(0, count))
    }

    /// As Python's `str.split`: without a separator at blanks, of which many are one.
    func split(by separator: String?, atMost count: Int?) throws(JinjaFault) -> [String] {
        let text = String(self)
        guard let separator else {
            let words = text.split(maxSplits: count.map { Swift.max(0, $0) } ?? Int.max, whereSeparator: \.isWhitespace)
            return words.map(String.init)
        }
        guard !separator.isEmpty else { throw JinjaFault("the separator of 'split' is empty") }
        let limit = count.map { $0 < 0 ? Int.max : $0 } ?? Int.max
        return text.split(separator: separator, maxSplits: limit, omittingEmptySubsequences: false).map(String.init)
    }
}

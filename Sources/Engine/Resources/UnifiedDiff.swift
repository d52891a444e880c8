/// What a change does to a text, in the form that everybody reads: removed lines, added lines, and three lines of
/// context around them.
public struct UnifiedDiff: Hashable, Sendable {
    /// A line of a diff, without its sign.
    public enum Line: Hashable, Sendable {
        case context(String)
        case removed(String)
        case added(String)
        /// The head of a hunk, `@@ -1,3 +1,4 @@`.
        case hunk(String)
    }

    public var lines: [Line]

    /// - Parameters:
    ///   - old: the lines that are there.
    ///   - new: the lines that are wanted.
    ///   - context: how many unchanged lines to show around a change.
    public init(from old: [String], to new: [String], context: Int = 3) {
        let edits = UnifiedDiff.edits(from: old, to: new)
        lines = UnifiedDiff.hunks(of: edits, context: context)
    }

    public init(from old: String, to new: String) {
        self.init(from: old.linesOfText, to: new.linesOfText)
    }

    public var text: [String] {
        lines.map { line in
            switch line {
            case .context(let text): " \(text)"
            case .removed(let text): "-\(text)"
            case .added(let text): "+\(text)"
            case .hunk(let head): head
            }
        }
    }

    /// How many lines may differ before a text is shown as replaced as a whole: the search for the shortest edit takes
    /// time and memory by the square of it, and nobody reads so long a diff for its shortness.
    private static let searchLimit = 2_000

    /// Every line of both texts in order, marked as kept, removed or added.
    private static func edits(from old: [String], to new: [String]) -> [Line] {
        let head = zip(old, new).prefix { $0 == $1 }.count
        let tail = zip(old.dropFirst(head).reversed(), new.dropFirst(head).reversed()).prefix { $0 == $1 }.count
        let kept = (head: old.prefix(head), tail: old.suffix(tail))
        let middle = edits(
            fromMiddle: Array(old.dropFirst(head).dropLast(tail)), to: Array(new.dropFirst(head).dropLast(tail)))
        return kept.head.map(Line.context) + middle + kept.tail.map(Line.context)
    }

    private static func edits(fromMiddle old: [String], to new: [String]) -> [Line] {
        if old.isEmpty || new.isEmpty || old.count + new.count > searchLimit {
            return old.map(Line.removed) + new.map(Line.added)
        }
        let difference = new.difference(from: old)
        var removals = Set<Int>()
        var insertions = Set<Int>()
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removals.insert(offset)
            case .insert(let offset, _, _): insertions.insert(offset)
            }
        }
        var edits: [Line] = []
        var oldIndex = 0
        var newIndex = 0
        while oldIndex < old.count || newIndex < new.count {
            if removals.contains(oldIndex) {
                edits.append(.removed(old[oldIndex]))
                oldIndex += 1
            } else if insertions.contains(newIndex) {
                edits.append(.added(new[newIndex]))
                newIndex += 1
            } else {
                edits.append(.context(old[oldIndex]))
                oldIndex += 1
                newIndex += 1
            }
        }
        return edits
    }

    private static func hunks(of edits: [Line], context: Int) -> [Line] {
        let changed = edits.indices.filter { if case .context = edits[$0] { false } else { true } }
        var result: [Line] = []
        var next = changed.startIndex
        var position = Position()
        var consumed = 0
        while next < changed.endIndex {
            var last = next
            while last + 1 < changed.endIndex, changed[last + 1] - changed[last] <= 2 * context + 1 { last += 1 }
            let start = max(0, changed[next] - context)
            let end = min(edits.endIndex, changed[last] + context + 1)
            position.advance(over: edits[consumed..<start])
            result.append(.hunk(position.head(of: edits[start..<end])))
            result += edits[start..<end]
            position.advance(over: edits[start..<end])
            consumed = end
            next = last + 1
        }
        return result
    }

    /// How many lines of the old and of the new text have been passed.
    private struct Position {
        var old = 0
        var new = 0

        mutating func advance(over lines: ArraySlice<Line>) {
            let (oldCount, newCount) = Position.counts(of: lines)
            old += oldCount
            new += newCount
        }

        func head(of lines: ArraySlice<Line>) -> String {
            let (oldCount, newCount) = Position.counts(of: lines)
            // As diff(1) does, an empty side is named by the line before it.
            return "@@ -\(oldCount == 0 ? old : old + 1),\(oldCount) +\(newCount == 0 ? new : new + 1),\(newCount) @@"
        }

        private static func counts(of lines: ArraySlice<Line>) -> (old: Int, new: Int) {
            var counts = (old: 0, new: 0)
            for line in lines {
                switch line {
                case .context: counts = (counts.old + 1, counts.new + 1)
                case .removed: counts.old += 1
                case .added: counts.new += 1
                case .hunk: break
                }
            }
            return counts
        }
    }
}

extension String {
    /// The lines of a text; a final line break begins no further line.
    public var linesOfText: [String] {
        // By bytes: a line feed after a carriage return is one character with it.
        var lines = utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

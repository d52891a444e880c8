/// The heading of a section: `[web]`, `[web:vars]`.
struct INIHeading {
    /// What stands between the brackets.
    let text: String
    let group: String
    let kind: String?

    /// - Returns: nil when the line is none, as an address in brackets with a port after them.
    init?(_ line: Substring) {
        guard line.first == "[", let end = line.firstIndex(of: "]") else { return nil }
        let rest = line[line.index(after: end)...].drop(while: \.isWhitespace)
        guard rest.isEmpty || rest.first == "#" || rest.first == ";" else { return nil }
        text = String(line[line.index(after: line.startIndex)..<end])
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        group = parts[0]
        kind = parts.count == 2 ? parts[1] : nil
    }
}

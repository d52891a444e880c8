/// How an inventory is written.
enum InventoryForm {
    case yaml, ini

    /// The form that the ending of a path promises, or nil.
    init?(ending path: String) {
        if [".yml", ".yaml", ".json"].contains(where: path.hasSuffix) {
            self = .yaml
        } else if path.hasSuffix(".ini") {
            self = .ini
        } else {
            return nil
        }
    }

    /// The form that a text has by its first line. Ansible tries one form after the other instead, and then shows the
    /// errors of all.
    init(of text: String) {
        var rest = text[...]
        // Only the first lines are looked at: a text may have millions.
        while !rest.isEmpty {
            let line = rest.prefix { !$0.isNewline }
            rest = rest[line.endIndex...].dropFirst()
            let words = line.drop(while: \.isWhitespace)
            guard let first = words.first, first != "#", first != ";" else { continue }
            let isYAML =
                words.hasPrefix("---") || words.hasPrefix("%YAML") || words.hasPrefix("- ") || first == "{"
                || InventoryForm.isKey(words)
            self = isYAML ? .yaml : .ini
            return
        }
        self = .ini
    }

    /// Whether a line is a key with a colon, which ends the line or has a blank after it.
    private static func isKey(_ line: Substring) -> Bool {
        guard let colon = line.firstIndex(of: ":"), line.first != "[" else { return false }
        let isWord = !line[..<colon].contains { $0.isWhitespace || $0 == "=" }
        let after = line[line.index(after: colon)...]
        return isWord && after.first?.isWhitespace ?? true
    }
}

public import Engine

/// The locales that programs of the host can use, as `locale -a` tells them.
public struct GeneratedLocales: Fact {
    public init() {}

    public static func script(for questions: [GeneratedLocales]) -> ShellText {
        "locale -a 2>/dev/null"
    }

    /// The names as ``spelling(of:)`` spells them.
    public static func answers(
        to questions: [GeneratedLocales], from output: String
    ) throws -> [GeneratedLocales: Set<String>] {
        [GeneratedLocales(): Set(output.linesOfText.map(spelling))]
    }

    /// The C library takes `UTF-8` and `utf8` for the same character set.
    public static func spelling(of locale: String) -> String {
        guard let dot = locale.firstIndex(of: ".") else { return locale }
        let end = locale[dot...].firstIndex(of: "@") ?? locale.endIndex
        let set = locale[dot..<end].lowercased().filter { $0.isLetter || $0.isNumber }
        return "\(locale[..<dot]).\(set)\(locale[end...])"
    }
}

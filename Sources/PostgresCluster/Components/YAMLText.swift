/// Writing YAML.
enum YAMLText {
    /// A text in single quotes, in which nothing but the quote itself has a meaning.
    static func quoted(_ text: String) -> String {
        "'" + text.flatMap { $0 == "'" ? ["'", "'"] : [$0] } + "'"
    }
}

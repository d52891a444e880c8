import Engine

/// A command line as a person types it: words are quoted only where a shell wants it.
enum CommandLineText {
    static func of(_ words: some Sequence<String>) -> String {
        words.map { word in
            // A shell takes a word with an equals sign as it is, once the command stands before it.
            word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.isEmpty && word != "" ? "" : ShellText.quoting(String($0)).description }
                .joined(separator: "=")
        }.joined(separator: " ")
    }
}

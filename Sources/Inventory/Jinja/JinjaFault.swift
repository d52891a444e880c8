import Diagnostics

/// Why an expression has no value. Who evaluates it knows the place and the words.
struct JinjaFault: Error {
    let message: String
    let remedy: String?
    /// The fault of another variable to which the expression refers.
    private var origin: Diagnostic?

    init(_ message: String, remedy: String? = nil) {
        self.message = message
        self.remedy = remedy
    }

    init(origin: Diagnostic) {
        self.init(origin.message, remedy: origin.remedy)
        self.origin = origin
    }

    /// - Parameter words: the expression as it is written.
    func diagnostic(about words: String, at location: SourceLocation) -> Diagnostic {
        if let origin { return origin }
        let separator = message.hasPrefix("stands for") || message.hasPrefix("is ") ? "" : ":"
        return Diagnostic("'{{ \(words) }}'\(separator) \(message)", at: location, remedy: remedy)
    }
}

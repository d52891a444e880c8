public import Engine
import FoundationEssentials

/// What an HTTP server near the host answers to a request. All requests are made by one `curl`.
public struct HTTPResponse: Fact {
    /// The response of an HTTP server.
    public struct Answer: Hashable, Sendable {
        /// The status code; 0 when nobody answered.
        public var status: Int
        public var body: String

        public init(status: Int, body: String) {
            self.status = status
            self.body = body
        }

        /// Decodes a body in JSON.
        ///
        /// - Returns: nil when the status is an error or the body is no such JSON.
        public func json<Value: Decodable>(_ type: Value.Type) -> Value? {
            guard (200..<300).contains(status) else { return nil }
            return try? JSONDecoder().decode(type, from: Data(body.utf8))
        }
    }

    public let url: String
    private let post: String?
    private let options: [String]
    private let evaluated: ShellText?

    /// - Parameters:
    ///   - url: reached from the host that is asked.
    ///   - post: the body of a POST request; a GET request is made without one. The request must change nothing.
    ///   - options: further options of `curl`, such as whom it trusts.
    ///   - evaluated: more of them in shell text, which the host evaluates.
    public init(_ url: String, post: String? = nil, options: [String] = [], evaluating evaluated: ShellText? = nil) {
        self.url = url
        self.post = post
        self.options = options
        self.evaluated = evaluated
    }

    public static func script(for questions: [HTTPResponse]) -> ShellText {
        let requests = questions.map { question -> ShellText in
            let options = [
                "--silent", "--noproxy", "*", "--connect-timeout", "0.25", "--max-time", "3", "--write-out",
                "\u{1e}%{http_code}\u{1e}",
            ]
            let body = question.post.map { ["--data-raw", $0] } ?? []
            let words = ShellText.words(options + question.options + body + [question.url])
            return question.evaluated.map { "\(words) \($0)" } ?? words
        }
        return "curl \(requests.joined(separator: " --next ")) 2>/dev/null"
    }

    /// Without `curl` on the host, nobody answers.
    public static func answers(to questions: [HTTPResponse], from output: String) throws -> [HTTPResponse: Answer] {
        let none = Answer(status: 0, body: "")
        if output.isEmpty { return Dictionary(uniqueKeysWithValues: questions.map { ($0, none) }) }
        let parts = output.split(separator: "\u{1e}", omittingEmptySubsequences: false)
        guard parts.count == 2 * questions.count + 1 else { throw UnreadableAnswer(HTTPResponse.self, output) }
        return try Dictionary(
            uniqueKeysWithValues: questions.enumerated().map { index, question in
                guard let status = Int(parts[2 * index + 1]) else { throw UnreadableAnswer(HTTPResponse.self, output) }
                return (question, Answer(status: status, body: String(parts[2 * index])))
            })
    }
}

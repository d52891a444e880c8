/// How a request ended, as the host wrote it down for a controller that lost the connection meanwhile.
public struct RequestOutcome: Hashable, Sendable {
    public let id: RequestID
    /// The exit status of the script.
    public let status: Int32

    init(id: RequestID, status: Int32) {
        self.id = id
        self.status = status
    }

    /// Reads `ID STATUS`, as ``BootText`` writes it; nil for anything else.
    init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let id = RequestID(words[0]), let status = Int32(words[1]) else { return nil }
        self.init(id: id, status: status)
    }
}

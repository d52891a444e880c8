/// One thing that is wrong with what a person wrote: where it is, what is wrong, what to write instead.
public struct Diagnostic: Error, Hashable, Sendable {
    /// Where it is, or nil when no place in a text can be named (a missing file, a missing host).
    public var location: SourceLocation?
    /// What is wrong, as a sentence without its full stop.
    public var message: String
    /// What to write or do instead, as a sentence without its full stop.
    public var remedy: String?

    public init(_ message: String, at location: SourceLocation? = nil, remedy: String? = nil) {
        self.message = message
        self.location = location
        self.remedy = remedy
    }
}

extension Diagnostic: CustomStringConvertible {
    /// `inventory/lab.yml:4:7: unknown variable 'cluster_vipp'; did you mean 'cluster_vip'?`
    public var description: String {
        let place = location.map { "\($0): " } ?? ""
        guard let remedy else { return place + message }
        return "\(place)\(message); \(remedy)"
    }
}

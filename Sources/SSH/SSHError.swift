/// Why a host could not be reached, or why work on it could not go on.
public struct SSHError: Error, Hashable, Sendable {
    /// What kind of failure it is, for a program that must choose what to do next.
    public enum Code: String, Hashable, Sendable {
        /// Nobody answers there: no such name, no route, refused, or not in time.
        case unreachable
        /// No known hosts file names the host, or none with a key of the presented type.
        case hostKeyUnknown
        /// The host presented another key than the one that a known hosts file holds.
        case hostKeyChanged
        /// A known hosts file says that the presented key must not be trusted any more.
        case hostKeyRevoked
        /// The host did not accept any of the keys, nor the password.
        case loginRefused
        /// The host did not let the user become another one.
        case becomeRefused
        /// The connection broke, or the host fell silent. What it was doing may or may not have been done.
        case connectionLost
        /// A request took longer than it was given.
        case timedOut
        /// The two sides do not understand each other, or the request cannot be sent at all.
        case protocolFailure
        /// Another run is at work on the host.
        case locked
        /// Another run is gone, but its last step must run to its end on the host.
        case lockedByStep
    }

    public var code: Code
    /// What is wrong, as a sentence without its full stop.
    public var message: String
    /// What to do about it, as a sentence without its full stop.
    public var remedy: String?

    public init(_ code: Code, _ message: String, remedy: String? = nil) {
        self.code = code
        self.message = message
        self.remedy = remedy
    }
}

extension SSHError: CustomStringConvertible {
    public var description: String {
        guard let remedy else { return message }
        return "\(message); \(remedy)"
    }
}

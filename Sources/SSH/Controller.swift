import FoundationEssentials

/// Who we are, for those who are told to wait for us.
enum Controller {
    /// `user@host pid 1234`
    static var name: String {
        let process = ProcessInfo.processInfo
        return "\(process.userName)@\(process.hostName) pid \(process.processIdentifier)"
    }

    /// `user@host pid 1234 since 2026-11-22T07:20:38Z`, by our own clock.
    static let nameWithTime = "\(name) since \(Date.now.formatted(.iso8601))"
}

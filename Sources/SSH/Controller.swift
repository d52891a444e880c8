import FoundationEssentials

/// Who we are, for those who are told to wait for us.
enum Controller {
    /// `user@host pid 1234`
    static var name: String {
        let process = ProcessInfo.processInfo
        return "\(process.userName)@\(process.hostName) pid \(process.processIdentifier)"
    }
}

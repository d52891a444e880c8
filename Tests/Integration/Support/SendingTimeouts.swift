import Testing

/// What the kernel of a host counts when nobody acknowledges what it sends: the measure of a cut cable.
extension TestLab {
    func sendingTimeouts(of host: String) async throws -> Int {
        let output = try await inNetwork(of: host, Self.timeouts)
        return try #require(Int(output.trimmed), "\(output)")
    }

    /// Waits until the host has counted so many.
    func awaitSendingTimeouts(_ count: Int, of host: String) async throws {
        try await inNetwork(of: host, "until [ $(\(Self.timeouts)) -ge \(count) ]; do sleep 0.05; done")
    }

    private static let timeouts = "nstat -asz TcpExtTCPTimeouts | awk '/Timeouts/ { print $2 }'"

    @discardableResult
    private func inNetwork(of host: String, _ script: String) async throws -> String {
        let result = try await Command.run(["ip", "netns", "exec", "drover-\(name).\(host)", "sh", "-c", script])
        try #require(result.status == 0, "\(result.everything)")
        return result.output
    }
}

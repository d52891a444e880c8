import Testing

@testable import SSH

@Suite("HostKeyFailure")
struct HostKeyFailureTests {
    private let key = HostKey(blob: [0, 0, 0, 1] + Array("a".utf8))
    private let destination = SSHDestination(address: "db1", port: 2222, user: "root")

    private func text(_ verdict: KnownHosts.Verdict) -> String? {
        HostKeyFailure.error(for: verdict, on: key, of: destination, file: "~/.ssh/known_hosts")?.description
    }

    @Test("names the file, the line and both fingerprints")
    func texts() throws {
        let line = try #require(KnownHostsLine("[db1]:2222 b AAAAAWI=", place: "hosts:7"))
        #expect(text(.trusted) == nil)
        #expect(
            text(.unknown(others: [])) == """
                no known hosts file names [db1]:2222, which presents the a key \(key.fingerprint); if that is the \
                host's own fingerprint, use --accept-new-host-keys, or add this line to ~/.ssh/known_hosts: [db1]:2222 a AAAAAWE=
                """)
        #expect(text(.unknown(others: [line]))?.hasPrefix("hosts:7 knows [db1]:2222 only by its b key, which") == true)
        #expect(
            text(.changed(line)) == """
                [db1]:2222 presents the a key \(key.fingerprint), but hosts:7 knows it by \(line.key.fingerprint): \
                this is another machine, or someone in between; if the host was installed anew, replace hosts:7 by: \
                [db1]:2222 a AAAAAWE=
                """)
        #expect(text(.revoked(line))?.contains("which hosts:7 revokes; ") == true)
    }
}

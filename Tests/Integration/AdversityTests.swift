import Testing

/// Hosts on which something is in the way: a clear error or a patient wait, and convergence once it is gone.
@Suite("Adversity", .serialized, .lab(of: 1))
struct AdversityTests {
    private var lab: TestLab { TestLab.current }

    @Test("a full disk is told, leaves the old file, and is survived")
    func fullDisk() async throws {
        try await lab.must(
            on: "pg1",
            """
            mkdir -p /etc/drover-test && mount -t tmpfs -o size=1m,mode=755 none /etc/drover-test
            echo old >/etc/drover-test/file-1; head -c 2M /dev/zero >/etc/drover-test/filler 2>/dev/null || true
            """)
        let full = try await apply("full")
        #expect(full.status == 3, "\(full.everything)")
        #expect(full.output.contains("No space left on device"), "\(full.output)")
        #expect(try await lab.must(on: "pg1", "cd /etc/drover-test; ls; cat file-1") == "file-1\nfiller\nold\n")
        try await lab.must(on: "pg1", "rm /etc/drover-test/filler")
        try await converges("full")
    }

    @Test("a read-only file system is told, and is survived")
    func readOnly() async throws {
        try await lab.must(on: "pg1", "mount -o remount,ro /etc/drover-test")
        let refused = try await apply("readonly")
        #expect(refused.status == 3, "\(refused.everything)")
        #expect(refused.output.contains("Read-only file system"), "\(refused.output)")
        try await lab.must(on: "pg1", "mount -o remount,rw /etc/drover-test")
        try await converges("readonly")
    }

    /// As after a clock that was ahead has been set back: a service would seem to be older than its file for ever.
    @Test("a file from the future makes its service read it once, and not at every run")
    func clock() async throws {
        try await lab.must(on: "pg1", "touch -d '+1 hour' /etc/drover-test/service-1 /etc/drover-test/service-2")
        let repaired = try await apply("readonly")
        #expect(repaired.status == 0, "\(repaired.everything)")
        #expect(Steps.applied(in: repaired.output) == ["pg1: restart drover-test-1", "pg1: reload drover-test-2"])
        expectNothingChanged(try await apply("readonly"))
    }

    @Test("another process that holds the lock of apt is waited for")
    func aptLock() async throws {
        try await lab.must(
            on: "pg1",
            """
            systemd-run --quiet --unit=holder python3 -c '
            import fcntl, time
            lock = open("/var/lib/dpkg/lock-frontend", "w")
            fcntl.lockf(lock, fcntl.LOCK_EX)
            open("/run/held", "w")
            time.sleep(4)'
            until [ -e /run/held ]; do sleep 0.05; done
            """)
        let result = try await Command.run(lab.playbook("apply", "one-package", "--yes"))
        #expect(result.status == 0, "\(result.everything)")
        let version = try await lab.must(on: "pg1", "dpkg-query --show --showformat='${db:Status-Abbrev}' sudo")
        #expect(version.hasPrefix("ii"))
    }

    private func converges(_ text: String) async throws {
        let result = try await apply(text)
        #expect(result.status == 0, "\(result.everything)")
        expectNothingChanged(try await apply(text))
    }

    private func apply(_ text: String) async throws -> Command {
        try await Command.run(lab.playbook("apply", "fault-matrix", "--yes", "--text", text))
    }
}

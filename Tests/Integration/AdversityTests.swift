import Testing

extension LabSnapshot {
    /// A host with the files and services of the playbook `fault-matrix`.
    fileprivate static let faultMatrix = LabSnapshot(
        "faults", hosts: 1, source: #filePath,
        setUp: {
            let base = try await Command.run(
                TestLab.current.playbook("apply", "fault-matrix", "--yes", "--text", "base"))
            try #require(base.status == 0, "\(base.everything)")
        }, settle: {})
}

/// A host with an obstacle: Drover reports a clear error or waits, and converges once the obstacle is gone.
@Suite("Adversity")
struct AdversityTests {
    private var lab: TestLab { TestLab.current }

    @Test("a full disk fails the step, leaves the old file, and prevents no later run", .lab(from: .faultMatrix))
    func fullDisk() async throws {
        try await lab.must(
            on: "pg1",
            """
            mount -t tmpfs -o size=1m,mode=755 none /etc/drover-test
            echo old >/etc/drover-test/file-1; head -c 2M /dev/zero >/etc/drover-test/filler 2>/dev/null || true
            """)
        let full = try await apply("full")
        #expect(full.status == 3, "\(full.everything)")
        #expect(full.output.contains("No space left on device"), "\(full.output)")
        #expect(try await lab.must(on: "pg1", "cd /etc/drover-test; ls; cat file-1") == "file-1\nfiller\nold\n")
        try await lab.must(on: "pg1", "rm /etc/drover-test/filler")
        try await converges("full")
    }

    @Test("a read-only file system fails the step, and prevents no later run", .lab(from: .faultMatrix))
    func readOnly() async throws {
        try await lab.must(
            on: "pg1",
            "mount --bind /etc/drover-test /etc/drover-test && mount -o remount,bind,ro /etc/drover-test")
        let refused = try await apply("readonly")
        #expect(refused.status == 3, "\(refused.everything)")
        #expect(refused.output.contains("Read-only file system"), "\(refused.output)")
        try await lab.must(on: "pg1", "mount -o remount,bind,rw /etc/drover-test")
        try await converges("readonly")
    }

    /// A clock that was ahead and was set back leaves such files: their services seem older than them at every run.
    @Test("a file from the future makes its service read it once, and not at every run", .lab(from: .faultMatrix))
    func clock() async throws {
        try await lab.must(on: "pg1", "touch -d '+1 hour' /etc/drover-test/service-1 /etc/drover-test/service-2")
        let repaired = try await apply("base")
        #expect(repaired.status == 0, "\(repaired.everything)")
        #expect(Steps.applied(in: repaired.output) == ["pg1: restart drover-test-1", "pg1: reload drover-test-2"])
        expectNothingChanged(try await apply("base"))
    }

    @Test("Drover waits for another process that holds the lock of apt", .lab(of: 1))
    func aptLock() async throws {
        // The holder keeps the lock until the kernel has told of two attempts (IN_OPEN): it refuses at least the first one.
        try await lab.must(
            on: "pg1",
            """
            systemd-run --quiet --unit=holder python3 -c '
            import ctypes, fcntl, os
            path = "/var/lib/dpkg/lock-frontend"
            lock = open(path, "w")
            fcntl.lockf(lock, fcntl.LOCK_EX)
            kernel = ctypes.CDLL(None)
            opened = kernel.inotify_init()
            kernel.inotify_add_watch(opened, path.encode(), 0x20)
            open("/run/held", "w")
            for attempt in range(2): os.read(opened, 16)'
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

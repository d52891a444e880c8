import Testing

extension TestLab {
    /// Gives hosts a folder of this machine, which is made when there is none, as NFS would: it is put into their mount
    /// namespaces.
    func share(_ folder: String, at path: String, on hosts: [String]) async throws {
        for host in hosts {
            // open_tree and move_mount have these numbers on every architecture.
            let mount = """
                ($from, $to) = ("\\0", "\(path)\\0");
                syscall(429, $ENV{tree} + 0, $from, -100, $to, 4) == 0 or die "move_mount: $!"
                """
            let script = """
                mkdir -p "$1"
                for pid in $(ip netns pids drover-\(name).\(host)); do
                    ! grep -q '^NSpid:.*[[:space:]]1$' /proc/$pid/status || break
                done
                exec perl -e '
                    $ENV{tree} = syscall(428, -100, "$ARGV[0]\\0", 1);
                    exec "nsenter", "-t", $ARGV[1], "-m", "perl", "-e", $ARGV[2]
                ' "$1" "$pid" "$2"
                """
            try await must(on: host, "mkdir -p \(path)")
            let shared = try await Command.run(["sh", "-c", script, "sh", folder, mount])
            try #require(shared.status == 0, "\(shared.everything)")
        }
    }
}

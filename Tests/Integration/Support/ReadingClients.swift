/// Clients on a host of the lab that read through the VIP, each statement on a connection of its own.
struct ReadingClients {
    let lab: TestLab
    let host: String

    /// Starts them, and waits for their first answer.
    ///
    /// - Parameter statement: what they execute again and again.
    static func start(_ count: Int, on host: String, of lab: TestLab, _ statement: String) async throws
        -> ReadingClients
    {
        try await lab.must(
            on: host,
            #"""
            cat >/root/reader <<'END'
            export PATH=\#(lab.release.binaryDirectory):$PATH PGPASSWORD=\#(lab.password(of: "app"))
            until [ -e /tmp/enough ]; do
                psql -h 10.70.0.100 -p 5001 -U app postgres -Xqc '\#(statement)' 2>>/tmp/failed >/dev/null || echo >>/tmp/failed
                echo >>/tmp/rounds
            done
            END
            : >/tmp/failed
            for n in $(seq \#(count)); do systemd-run --quiet --unit reader$n sh /root/reader; done
            until [ -e /tmp/rounds ]; do sleep 0.05; done
            """#)
        return ReadingClients(lab: lab, host: host)
    }

    /// Waits for twenty more statements.
    func goOn() async throws {
        try await lab.must(
            on: host,
            """
            rounds=$(wc -l </tmp/rounds)
            until [ "$(wc -l </tmp/rounds)" -gt $((rounds + 20)) ]; do sleep 0.05; done
            """)
    }

    /// Lets them end.
    ///
    /// - Returns: the messages of the statements that failed.
    func end() async throws -> String {
        try await lab.must(
            on: host,
            """
            touch /tmp/enough
            while systemctl is-active --quiet 'reader*'; do sleep 0.05; done
            cat /tmp/failed
            """)
    }
}

import Foundation
import Testing

@Suite("Reload of HAProxy", .lab(from: .deployed))
struct BalancerReloadTests {
    private var lab: TestLab { TestLab.current }

    /// After a reload, HAProxy takes the leader for a replica until it has checked it, and then ends its sessions.
    @Test("no statement of a reading client fails")
    func reading() async throws {
        let balancer = try #require(try await lab.status().balancers.first(where: \.holdsAddress)?.name)
        try await lab.must(
            on: balancer,
            #"""
            cat >/root/reader <<'END'
            export PATH=/usr/lib/postgresql/15/bin:$PATH PGPASSWORD=\#(lab.password(of: "app"))
            until [ -e /tmp/enough ]; do
                psql -h 10.70.0.100 -p 5001 -U app postgres -Xqc 'SELECT pg_sleep(0.1)' 2>>/tmp/failed >/dev/null || echo >>/tmp/failed
                echo >>/tmp/rounds
            done
            END
            : >/tmp/failed
            for n in 1 2 3 4; do systemd-run --quiet --unit reader$n sh /root/reader; done
            until [ -e /tmp/rounds ]; do sleep 0.05; done
            """#)
        for _ in 1...10 {
            try await lab.must(
                on: balancer,
                """
                systemctl reload haproxy
                rounds=$(wc -l </tmp/rounds)
                until [ "$(wc -l </tmp/rounds)" -gt $((rounds + 20)) ]; do sleep 0.05; done
                """)
        }
        let failed = try await lab.must(
            on: balancer,
            """
            touch /tmp/enough
            while systemctl is-active --quiet 'reader*'; do sleep 0.05; done
            cat /tmp/failed
            """)
        #expect(failed == "")
    }
}

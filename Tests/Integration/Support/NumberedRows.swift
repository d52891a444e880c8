import Testing

/// A client that connects anew for each row, and writes down which of them were acknowledged.
struct NumberedRows {
    let lab: TestLab
    /// Where it runs.
    let host: String
    /// Where it connects to.
    let address: String

    private static let unit = "numbered-rows"

    /// Makes the table `rows`, and begins.
    func begin() async throws {
        try await lab.must(
            on: host,
            #"""
            cat >/root/rows.sh <<'END'
            export PATH=/usr/lib/postgresql/15/bin:$PATH
            export PGPASSWORD=\#(lab.password(of: "app")) PGHOST=\#(address) PGPORT=5000 PGUSER=app PGDATABASE=app PGCONNECT_TIMEOUT=5
            psql -XAtqc 'CREATE TABLE rows (n int)'
            n=0
            while [ ! -e /root/rows.end ]; do
                n=$((n + 1)); sleep 0.05
                ! psql -XAtqc "INSERT INTO rows VALUES ($n)" >/dev/null 2>&1 || echo $n >>/root/rows.acknowledged
            done
            END
            systemd-run --quiet --unit \#(Self.unit) sh /root/rows.sh
            """#)
        try await write(1)
    }

    /// Waits until so many more rows are acknowledged.
    func write(_ count: Int) async throws {
        try await lab.must(
            on: host,
            """
            had=$(cat /root/rows.acknowledged 2>/dev/null | wc -l)
            until [ "$(cat /root/rows.acknowledged 2>/dev/null | wc -l)" -ge $(( had + \(count) )) ]; do sleep 0.05; done
            """)
    }

    func end() async throws {
        try await lab.must(
            on: host, "touch /root/rows.end; while systemctl is-active --quiet \(Self.unit); do sleep 0.05; done")
    }

    /// Compares what was acknowledged with what is there.
    ///
    /// - Parameter rows: the numbers of all rows that there are, one a line.
    func expectAll(in rows: String, atLeast count: Int) async throws {
        let acknowledged = try await lab.must(on: host, "cat /root/rows.acknowledged").linesOfOutput
        #expect(Set(acknowledged).subtracting(rows.linesOfOutput) == [])
        #expect(acknowledged.count >= count)
    }
}

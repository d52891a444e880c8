import Testing

/// What those cannot do who reach the hosts' daemons over the network, and have neither password nor certificate.
@Suite("Strangers to a cluster with TLS", .lab(from: .safe))
struct TLSStrangerTests: TLSSuite {
    @Test("a stranger changes nothing through the REST API")
    func restAPI() async throws {
        let orders = [
            ("PATCH", "config"), ("PUT", "config"), ("POST", "reload"), ("POST", "restart"), ("POST", "reinitialize"),
            ("POST", "failover"), ("POST", "switchover"), ("POST", "failsafe"), ("POST", "sigterm"), ("POST", "citus"),
            ("DELETE", "restart"), ("DELETE", "switchover"),
        ]
        let script = orders.map { method, path in
            "curl --silent --max-time 5 --cacert \(Self.trust) --output /dev/null --write-out '%{http_code} ' "
                + "--request \(method) --data '{\"leader\":\"pg1\"}' https://10.70.0.12:8008/\(path)"
        }.joined(separator: "\n")
        #expect(try await lab.must(on: "pg1", script) == String(repeating: "401 ", count: orders.count))
    }

    @Test("a stranger with a certificate of another authority gets nothing of etcd, as a client or as a member")
    func etcd() async throws {
        let result = try await lab.must(
            on: "pg1",
            """
            cd "$(mktemp -d)"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=pg1 -days 1 \\
                -keyout key -out certificate 2>/dev/null
            for url in https://10.70.0.11:2379/version https://10.70.0.11:2380/members; do
                for options in '' '--cert certificate --key key'; do
                    curl --silent --max-time 5 --cacert \(Self.etcdTrust) $options "$url" && echo " from $url $options"
                done
                curl --silent --max-time 5 "http${url#https}" | grep -v 'HTTP request to an HTTPS server'
            done
            true
            """)
        #expect(result == "")
    }

    @Test("a certificate that the authority of the cluster has issued gets nothing of etcd, as a client or as a member")
    func certificateOfCluster() async throws { try await expectNothingOfEtcd() }

    @Test("a member that shows the certificate of another one is no server for the balancers")
    func otherCertificate() async throws {
        let stolen = try await lab.must(on: "pg1", "cat /etc/ssl/drover/postgres.crt /etc/ssl/drover/postgres.key")
        // A member serves either writers or readers, and so is up once and down once.
        func waitUntil(_ state: String, _ count: Int) async throws {
            try await lab.must(
                on: "pg1",
                """
                states() { curl --silent 'http://127.0.0.1:7000/;csv' | awk -F, '$2 == "pg2" { print $18 }'; }
                until [ "$(states | grep -c '^\(state)')" = \(count) ]; do sleep 0.1; done
                """)
        }
        try await waitUntil("UP", 1)
        try await lab.must(
            on: "pg2",
            """
            cd /etc/ssl/drover && cp --preserve=all postgres.crt /root/own.crt && cp --preserve=all postgres.key /root/own.key
            cat >postgres.crt <<'END'
            \(stolen)
            END
            cat postgres.crt >postgres.key
            systemctl reload patroni
            """)
        try await waitUntil("DOWN", 2)
        try await lab.must(
            on: "pg2",
            """
            cd /etc/ssl/drover && mv /root/own.crt postgres.crt && mv /root/own.key postgres.key
            systemctl reload patroni
            """)
        try await waitUntil("UP", 1)
    }

    @Test("a stranger neither sees the statistics of HAProxy nor gives it orders there")
    func statistics() async throws {
        let script = """
            ask='curl --silent --max-time 5'
            $ask --output /dev/null --write-out '%{http_code} ' 'http://127.0.0.1:7000/;csv'
            for path in ';csv' metrics healthy; do
                $ask --output /dev/null --write-out '%{http_code} ' "http://10.70.0.11:7000/$path"
            done
            $ask --output /dev/null --data 's=pg1&action=disable&b=leader' http://127.0.0.1:7000/
            $ask 'http://127.0.0.1:7000/;csv' | awk -F, '$1 == "leader" && $18 ~ /MAINT/'
            """
        #expect(try await lab.must(on: "pg1", script) == "200 403 403 200 ")
    }
}

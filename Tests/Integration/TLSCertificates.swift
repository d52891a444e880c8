import Foundation
import Testing

/// The certificates of a cluster, and how the tests look at them and replace them.
extension TLSSuite {
    /// The daemons that read a new certificate, and a new authority, without being started anew.
    static var others: [String] { ["patroni", "pgbouncer", "haproxy"] }

    /// When daemons of pg1, and the server, were started.
    func starts(of units: [String]) async throws -> String {
        try await lab.must(
            on: "pg1",
            """
            for unit in \(units.joined(separator: " ")); do
                systemctl show -p ExecMainStartTimestampMonotonic $unit
            done
            cd / && runuser -u postgres -- psql -XAtqc 'SELECT pg_postmaster_start_time()'
            """)
    }

    /// Waits until the daemons at some ports show the certificate that is there. Patroni, which also has PostgreSQL read it,
    /// does so at its next turn.
    func expectShown(on host: String, at ports: [String]) async throws {
        try await lab.must(
            on: host,
            """
            shows() {
                case $1 in 23*) name=etcd ;; *) name=postgres ;; esac
                openssl s_client ${2-} -connect 10.70.0.1\(host.dropFirst(2)):$1 -cert /etc/ssl/drover/$name.crt \
                    -key /etc/ssl/drover/$name.key </dev/null 2>/dev/null | openssl x509 -noout -serial >/tmp/shown
                openssl x509 -noout -serial -in /etc/ssl/drover/$name.crt | cmp -s - /tmp/shown
            }
            until \(ports.map { "shows \($0)" }.joined(separator: " && ")); do sleep 0.2; done
            """)
    }

    /// Gives pg1 a certificate of the same authority that ends in five days, less the second in which it has all of them.
    func shorten(_ identity: String) async throws {
        try await give("pg1", identity, days: 5)
        let asks = "openssl x509 -in /etc/ssl/drover/\(identity).crt -noout -checkend $((5 * 86400 - 1))"
        try await lab.must(on: "pg1", "while \(asks) >/dev/null; do sleep 0.1; done")
    }

    /// Puts a certificate of the authority onto a host, for its key.
    ///
    /// - Parameter names: as `openssl` wants them; nil for those of the certificate that is there.
    func give(_ host: String, _ identity: String, days: Int = 100, names: String? = nil) async throws {
        let path = "/etc/ssl/drover/\(identity)"
        let key = try await lab.must(on: host, "openssl pkey -in \(path).key -pubout")
        let present = try await lab.must(
            on: host,
            "openssl x509 -in \(path).crt -noout -ext subjectAltName | sed '1d; s/IP Address/IP/g; s/^ *//'")
        let authority = identity == "postgres" ? "ca" : "etcd-ca"
        let certificate = try await issue(to: key, by: authority, days: days, names: names ?? present)
        try await lab.must(on: host, "cat >\(path).crt <<'END'\n\(certificate)END")
    }

    /// Issues a certificate.
    ///
    /// - Parameters:
    ///   - key: public, in PEM.
    ///   - authority: the name of its files without an ending.
    ///   - names: as `openssl` wants them.
    func issue(to key: String, by authority: String, days: Int = 100, names: String) async throws -> String {
        let files = [
            "public": key, "extensions": "subjectAltName=\(names)\nextendedKeyUsage=serverAuth,clientAuth\n",
        ]
        for (name, text) in files {
            try text.write(toFile: "\(lab.folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let made = try await Command.run([
            "sh", "-e", "-c",
            """
            cd "$1"
            authority=secrets/safe/\(authority)
            if grep -q ANSIBLE_VAULT $authority.key
            then "$2" secret view $authority.key --vault-password-file vault-password
            else cat $authority.key
            fi >authority.key
            openssl x509 -new -force_pubkey public -subj /CN=pg1 -CA $authority.crt -CAkey authority.key \
                -days \(days) -extfile extensions
            """, "sh", lab.folder, Drover.program,
        ])
        try #require(made.status == 0, "\(made.everything)")
        return made.output
    }

    func kept(_ file: String) throws -> String {
        try String(contentsOfFile: "\(secrets)/\(file)", encoding: .utf8)
    }

    /// An authority as an operator makes one.
    static func authority(in folder: String) async throws -> (certificate: String, key: String) {
        let made = try await Command.run([
            "sh", "-e", "-c",
            """
            cd "$1"
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj '/CN=An operator' \
                -keyout new.key -out new.crt
            """, "sh", folder,
        ])
        try #require(made.status == 0, "\(made.everything)")
        return (
            try String(contentsOfFile: "\(folder)/new.crt", encoding: .utf8),
            try String(contentsOfFile: "\(folder)/new.key", encoding: .utf8)
        )
    }

    func expectServed(trusting file: String) async throws {
        let result = try await lab.must(
            on: "pg1",
            """
            for port in 5000 5001; do
                PGPASSWORD=\(lab.password(of: "app")) psql -XAtqc 'SELECT 1' \
                    "host=10.70.0.100 port=$port user=app dbname=app sslmode=verify-full sslrootcert=\(file)"
            done
            runuser -u postgres -- sh -c 'cd /; psql -XAtqc "SELECT count(*) FROM pg_stat_replication"'
            """)
        #expect(result == "1\n1\n1\n")
    }

    /// Tries the certificate of a host that has no part in etcd: that of a web server, where the authority is a company's.
    func expectNothingOfEtcd() async throws {
        try await lab.must(
            on: "pg1", "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out /root/stranger.key")
        let certificate = try await issue(
            to: lab.must(on: "pg1", "openssl pkey -in /root/stranger.key -pubout"), by: "ca",
            names: "DNS:pg1,IP:10.70.0.11")
        try await lab.must(on: "pg1", "cat >/root/stranger.crt <<'END'\n\(certificate)END")
        let login = "--cert /root/stranger.crt --key /root/stranger.key"
        let answers = try await lab.must(
            on: "pg1",
            """
            ask='curl --silent --max-time 5 --output /dev/null --write-out %{http_code}\\n'
            for url in https://10.70.0.11:2379/version https://10.70.0.11:2380/members; do
                for trust in \(Self.trust) \(Self.etcdTrust); do
                    $ask --cacert $trust \(login) --http1.1 "$url" || true
                done
                $ask --cacert \(Self.etcdTrust) --cert /etc/ssl/drover/etcd.crt --key /etc/ssl/drover/etcd.key --http1.1 "$url"
            done
            openssl verify -CAfile \(Self.trust) /root/stranger.crt
            """)
        #expect(answers == "000\n000\n200\n000\n000\n200\n/root/stranger.crt: OK\n")
    }
}

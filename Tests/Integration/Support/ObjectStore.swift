import Foundation
import Testing

/// An S3-compatible store on a host of the lab, which keeps everything in memory: moto's server, from PyPI.
///
/// It stands behind an HAProxy, for pgBackRest (2.45) takes the end of moto's own TLS, which comes without close_notify, for
/// an error. HAProxy also turns away who comes with another key: moto lets everybody in.
struct ObjectStore {
    let lab: TestLab
    let host: String
    let address: String

    static let port = 9443
    /// Who has issued the certificate of the store, on each host that was introduced to it.
    static let authority = "/etc/store/ca.crt"
    static let bucket = "backups"
    private static let objects = "/srv/objects"

    var endpoint: String { "\(address):\(Self.port)" }
    var key: String { lab.password(of: "s3-id") }
    var secret: String { lab.password(of: "s3-secret") }

    /// Starts the store with what ``keep()`` kept, if it does not run.
    func start() async throws {
        guard try await lab.shell(on: host, "systemctl is-active --quiet store").status != 0 else { return }
        try await lab.share(try await Self.program.value, at: "/srv/moto", on: [host])
        // pgBackRest compares the name of the store with the CommonName, and with no address of the certificate.
        try await lab.must(
            on: host,
            """
            set -e
            mkdir -p /etc/store \(Self.objects); cd /etc/store
            [ -e store.pem ] || openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \\
                -subj /CN=\(address) -keyout store.key -out ca.crt 2>/dev/null
            cat ca.crt store.key >store.pem
            cat >haproxy.cfg <<'END'
            defaults
                mode http
                timeout connect 60s
                timeout client 60s
                timeout server 60s
            listen store
                bind \(endpoint) ssl crt /etc/store/store.pem
                http-request return status 403 content-type application/xml string \
            '<Error><Code>InvalidAccessKeyId</Code><Message>No such key.</Message></Error>' \
            unless { req.hdr(authorization) -m sub Credential=\(key)/ }
                server moto 127.0.0.1:9000
            END
            systemd-run --quiet --unit=moto --setenv=PYTHONPATH=/srv/moto \\
                python3 -m moto.server --host 127.0.0.1 --port 9000
            until curl --silent --fail --output /dev/null --request PUT http://127.0.0.1:9000/\(Self.bucket); do
                systemctl is-active --quiet moto; sleep 0.1
            done
            cd \(Self.objects)
            find . -type f | while read -r object; do
                curl --silent --fail --output /dev/null --upload-file "$object" \
                    "http://127.0.0.1:9000/\(Self.bucket)/${object#./}"
            done
            systemd-run --quiet --unit=store --property=Type=notify haproxy -Ws -f /etc/store/haproxy.cfg
            """)
    }

    /// Gives a host what it needs to trust the store.
    func introduce(_ other: String) async throws {
        let text = try await lab.must(on: host, "cat \(Self.authority)")
        try await lab.must(on: other, "mkdir -p /etc/store; cat >\(Self.authority) <<'END'\n\(text)END")
    }

    /// Keeps on the disk what the store has. moto gives objects to whoever signs a request, and does not look at who that is.
    func keep() async throws {
        try await lab.must(
            on: host,
            """
            set -e; cd \(Self.objects)
            curl --silent --fail 'http://127.0.0.1:9000/\(Self.bucket)?list-type=2' | grep -o '<Key>[^<]*' | cut -c6- >/tmp/keys
            while read -r key; do
                curl --silent --fail --aws-sigv4 aws:amz:eu-1:s3 --user anybody:anything --create-dirs --output "$key" \\
                    "http://127.0.0.1:9000/\(Self.bucket)/$key"
            done </tmp/keys
            """)
    }

    /// What the store has, as it tells it: XML.
    func contents() async throws -> String {
        try await lab.must(on: host, "curl --silent --fail 'http://127.0.0.1:9000/\(Self.bucket)?list-type=2'")
    }

    /// The folder with moto. One task fetches it for all tests: they run at once, and two would write the same folder.
    private static let program = Task { try await fetchProgram() }

    private static func fetchProgram() async throws -> String {
        let folder = "\(Drover.checkout)/.build/moto"
        let requirements = "\(Drover.checkout)/Tests/Integration/Support/moto-requirements.txt"
        let fetched = try await Command.run(
            [
                "sh", "-ec",
                """
                ! cmp -s "$2" "$1/requirements.txt" || exit 0
                rm -rf "$1" "$1.new" "$1.venv"
                /usr/bin/python3 -m venv "$1.venv"
                "$1.venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$1.new" --requirement "$2"
                rm -r "$1.venv"
                cp "$2" "$1.new/requirements.txt"
                mv "$1.new" "$1"
                """, "sh", folder, requirements,
            ], seconds: 600)
        try #require(fetched.status == 0, "\(fetched.everything)")
        return folder
    }
}

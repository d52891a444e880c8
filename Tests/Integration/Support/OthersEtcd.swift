import Testing

/// An external etcd, on a host that has the packages. It requires certificates of its own CA and a password. One login may
/// read and write one directory, and nothing else.
struct OthersEtcd {
    let lab: TestLab
    let host: String
    let address: String

    static let port = 3379
    /// The folder of its files, on its host and on those that use it.
    static let folder = "/etc/others"
    static let login = "drover"
    var password: String { lab.password(of: "etcd") }

    /// The command `etcdctl` as its superuser.
    private func control(as user: String? = "root") -> String {
        """
        ETCDCTL_API=3 etcdctl --endpoints=https://\(address):\(Self.port) --cacert=\(Self.folder)/ca.crt \
        --cert=\(Self.folder)/client.crt --key=\(Self.folder)/client.key\(user.map { " --user=\($0):\(password)" } ?? "")
        """
    }

    /// Starts it, now and after each boot.
    ///
    /// - Parameter directory: The directory of the login. It ends with a slash.
    func start(for directory: String) async throws {
        let url = "https://\(address):\(Self.port)"
        try await lab.must(
            on: host,
            """
            set -e
            mkdir -p \(Self.folder); cd \(Self.folder)
            make() { openssl req "$@" -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes 2>/dev/null; }
            make -x509 -days 30 -subj /CN=others -keyout ca.key -out ca.crt
            printf 'subjectAltName=IP:\(address)\\nextendedKeyUsage=serverAuth,clientAuth\\n' >extensions
            for name in server client; do
                # With a CommonName it would refuse a client that logs in over HTTP.
                make -new -subj / -keyout $name.key -out $name.request
                openssl x509 -req -in $name.request -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 \\
                    -extfile extensions -out $name.crt 2>/dev/null
            done
            cat >/etc/systemd/system/others.service <<'END'
            [Service]
            Type=notify
            ExecStart=/usr/bin/etcd --name=others --data-dir=/var/lib/others --listen-client-urls=\(url) --advertise-client-urls=\(url) \\
                --listen-peer-urls=http://127.0.0.1:3380 --initial-advertise-peer-urls=http://127.0.0.1:3380 \\
                --initial-cluster=others=http://127.0.0.1:3380 --client-cert-auth --trusted-ca-file=\(Self.folder)/ca.crt \\
                --cert-file=\(Self.folder)/server.crt --key-file=\(Self.folder)/server.key
            [Install]
            WantedBy=multi-user.target
            END
            systemctl enable --quiet --now others
            c='\(control(as: nil))'
            for word in "user add root:\(password)" "user grant-role root root" "role add one" \\
                "role grant-permission one --prefix=true readwrite \(directory)" \\
                "user add \(Self.login):\(password)" "user grant-role \(Self.login) one" "auth enable"
            do env $c $word; done
            """)
    }

    /// Gives a host the certificates that a client needs.
    func introduce(_ other: String) async throws {
        for file in ["ca.crt", "client.crt", "client.key"] {
            let text = try await lab.must(on: host, "cat \(Self.folder)/\(file)")
            try await lab.must(
                on: other, "mkdir -p \(Self.folder); cat >\(Self.folder)/\(file) <<'END'\n\(text)END")
        }
    }

    func put(_ key: String, _ value: String) async throws {
        try await lab.must(on: host, "\(control()) put \(key) \(value)")
    }

    /// The names of all keys.
    func keys() async throws -> [String] {
        try await lab.must(on: host, "\(control()) get --prefix --keys-only /").linesOfOutput.filter { !$0.isEmpty }
    }

    /// Invalidates the tokens of all logins.
    func restart() async throws { try await lab.must(on: host, "systemctl restart others") }
}

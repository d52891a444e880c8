import Foundation
import Testing

/// A lab that a test has for itself: made before it, removed after it.
struct TestLab: Sendable {
    let name: String
    /// The snapshot of which the lab was made, if it was.
    var snapshot: LabSnapshot?

    @TaskLocal static var current = TestLab(name: "")

    init(name: String, of snapshot: LabSnapshot? = nil) {
        self.name = name
        self.snapshot = snapshot
    }

    /// The Debian of its hosts.
    var release: LabRelease { snapshot?.release ?? .current }

    /// The inventory of the lab's hosts: `inventory/lab.yml` with the edits of the snapshot and other passwords.
    var inventory: String { "\(folder)/inventory.yml" }

    /// The password of a login of the inventory: `app`, `superuser`, `replication`, `pooler`. Labs share none, unless they
    /// are of the same snapshot.
    func password(of login: String) -> String { "\(snapshot?.name ?? name)-\(login)" }

    /// Writes the inventory of the cluster, and that of plain hosts.
    func writeInventories(hosts: Int) throws {
        var text = try String(contentsOfFile: "\(Drover.checkout)/inventory/lab.yml", encoding: .utf8)
        for (old, new) in snapshot?.edits ?? [] {
            try #require(text.contains(old))
            text = text.replacing(old, with: new)
        }
        try text.replacing("/run/drover/lab/lab/", with: "\(folder)/").replacing(
            ": lab-", with: ": \(password(of: ""))"
        )
        .write(toFile: inventory, atomically: true, encoding: .utf8)
        try plainInventoryText(hosts: hosts).write(toFile: plainInventory, atomically: true, encoding: .utf8)
    }

    private func plainInventoryText(hosts: Int) -> String {
        """
        all:
          vars:
            ansible_user: root
            ansible_ssh_private_key_file: \(folder)/id_ed25519
            ansible_ssh_common_args: -o UserKnownHostsFile=\(folder)/known_hosts
          children:
            lab:
              hosts:

        """ + (1...hosts).map { "        pg\($0): { ansible_host: 10.70.0.\(10 + $0) }\n" }.joined()
    }

    /// Where the lab keeps its key and its known hosts.
    var folder: String { "/run/drover/lab/\(name)" }

    /// Runs the program under test where the hosts of the lab are reached.
    func drover(_ words: String...) async throws -> Command {
        try await Command.run([Drover.program, "lab", "exec", "--name", name, "--", Drover.program] + words)
    }

    /// Applies deploy-cluster without asking.
    func apply(_ inventory: String? = nil, _ options: String...) async throws -> Command {
        let words = [
            Drover.program, "lab", "exec", "--name", name, "--", Drover.program, "apply", "deploy-cluster", "-i",
            inventory ?? self.inventory, "--yes",
        ]
        return try await Command.run(words + options)
    }

    /// The command that runs the program of the tests' own playbooks where the hosts of the lab are reached. It has the
    /// process identifier of the program itself, so that a signal reaches that.
    func tests(_ words: String...) -> [String] {
        inside("\(Drover.program)-tests") + words
    }

    /// The command that runs a program where the hosts of the lab are reached.
    func inside(_ program: String) -> [String] {
        ["ip", "netns", "exec", "drover-\(name)", program]
    }

    /// The command that plans or applies one of the tests' own playbooks.
    func playbook(_ verb: String, _ name: String, _ options: String...) -> [String] {
        tests(verb, name, "-i", plainInventory) + options
    }

    /// Runs a command of the program that is about plain hosts.
    func program(_ command: String, _ options: String...) async throws -> Command {
        try await Command.run(tests(command, "-i", plainInventory) + options)
    }

    /// The inventory of the lab's hosts without anything that belongs to a cluster.
    var plainInventory: String { "\(folder)/plain.yml" }

    /// Takes the power of a host, or gives it back; pulls its cable out, or plugs it in.
    func fault(_ verb: String, _ host: String) async throws {
        let result = try await Command.run([Drover.program, "lab", verb, "--name", name, host])
        try #require(result.status == 0, "\(result.everything)")
    }

    /// Runs shell text on a host as root.
    func shell(on host: String, _ script: String) async throws -> Command {
        try await Command.run([
            Drover.program, "lab", "exec", "--name", name, "--", "ssh", "-n", "-q", "-i", "\(folder)/id_ed25519",
            "-o", "UserKnownHostsFile=\(folder)/known_hosts",
            // The first choice of OpenSSH takes five times as much of both processors.
            "-o", "KexAlgorithms=curve25519-sha256", "root@\(address(of: host))",
            // Debian's psql is a program in Perl that looks for the right one, which takes twice as long as most questions.
            "PATH=\(release.binaryDirectory):$PATH\n\(script)",
        ])
    }

    /// Runs shell text on a host, which must succeed.
    @discardableResult
    func must(on host: String, _ script: String) async throws -> String {
        let result = try await shell(on: host, script)
        try #require(result.status == 0, "\(script)\n\(result.everything)")
        return result.output
    }

    /// The cluster as `drover status` reports it.
    ///
    /// - Parameter cluster: The cluster to use if the inventory has several.
    func status(_ inventory: String? = nil, cluster: String? = nil) async throws -> Status {
        let selection = cluster.map { ["--cluster", $0] } ?? []
        let result = try await Command.run(
            inside(Drover.program) + ["status", "-i", inventory ?? self.inventory, "--json"] + selection)
        try #require(result.status == 0, "\(result.everything)")
        return try JSONDecoder().decode(Status.self, from: Data(result.output.utf8))
    }

    /// Asks again and again until the cluster is as wanted, and leaves the processors to others in between: all that it
    /// waits for runs on them. Four minutes are more than anything takes, also on a machine that does much else.
    func eventually(
        _ what: Comment, inventory: String? = nil, cluster: String? = nil, _ isMet: (Status) -> Bool
    ) async throws {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(240)
        var last = try await status(inventory, cluster: cluster)
        while !isMet(last) {
            try #require(clock.now < deadline, "\(what): \(last)")
            try await clock.sleep(for: .seconds(2))
            last = try await status(inventory, cluster: cluster)
        }
    }

    /// Waits until all members stream on the leader's timeline, as far as Patroni knows. `drover status` knows more, but a
    /// question to it costs several times as much. A cluster that does not get that far is left to it.
    func awaitPatroni(on host: String = "pg1") async throws {
        _ = try await shell(
            on: host,
            #"""
            ask() { curl -sk --max-time 2 "$@"; }
            count() { grep -o "$1" | sort ${2:-} | wc -l; }
            streams() {
                all=$(ask https://\#(address(of: host)):8008/cluster) &&
                leader=$(echo "$all" | sed -n 's/.*"role": "[a-z_]*leader"[^}]*"api_url": "\([^"]*\)".*/\1/p') &&
                replicas=$(( $(echo "$all" | count '"api_url"') - 1 )) &&
                live=$(ask "$leader") &&
                # Before it is promoted, replicas stream from it, too, and all tell of the timeline before.
                [ "$(echo "$live" | count '"role": "replica"')" = 0 ] &&
                [ "$(echo "$all $live" | count '"timeline": [0-9]*' -u)" = 1 ] &&
                [ "$(echo "$all" | count '"lag": 0[,}]')" = $replicas ] &&
                [ "$(echo "$live" | count '"state": "streaming"')" = $replicas ]
            }
            # A member reports what it does at its next turn, in up to ten seconds. A change of nothing lets it come at once.
            wake() {
                for api in $(echo "$all" | grep -o 'https://[^"]*:8008'); do
                    ask "$api/config" --output /dev/null --config /etc/patroni/api.curl --request PATCH --data '{"none":null}'
                done
            }
            end=$(( $(date +%s) + 60 ))
            until streams || [ "$(date +%s)" -gt $end ]; do wake; sleep 1; done
            """#)
    }

    /// Makes a member the leader. Another one may become it while the hosts of a snapshot boot.
    func makeLeader(_ host: String, inventory: String? = nil, cluster: String? = nil) async throws {
        let selection = cluster.map { ["--cluster", $0] } ?? []
        let result = try await Command.run(
            inside(Drover.program) + ["apply", "switchover", "--to", host, "-i", inventory ?? self.inventory, "--yes"]
                + selection)
        try #require(result.status == 0, "\(result.everything)")
    }

    /// A copy of the inventory with some texts replaced.
    func inventory(replacing replacements: [(String, String)]) throws -> String {
        var text = try String(contentsOfFile: inventory, encoding: .utf8)
        for (old, new) in replacements {
            try #require(text.contains(old))
            text = text.replacing(old, with: new)
        }
        let path = "\(folder)/changed.yml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// The command `etcdctl` on a host of etcd.
    static let etcdctl = "\(etcdctlEnvironment) etcdctl"
    static let etcdctlEnvironment =
        "ETCDCTL_API=3 ETCDCTL_ENDPOINTS=https://127.0.0.1:2379 ETCDCTL_CACERT=/etc/ssl/drover/etcd-ca.crt "
        + "ETCDCTL_CERT=/etc/ssl/drover/etcd.crt ETCDCTL_KEY=/etc/ssl/drover/etcd.key"

    /// The shell text that asks the REST API of a host.
    func patroni(of host: String) -> String {
        "curl -s --cacert /etc/ssl/drover/ca.crt https://\(address(of: host)):8008/patroni"
    }

    /// The address of a host, as the inventories of the lab have it.
    func address(of host: String) -> String { "10.70.0.1\(host.dropFirst(2))" }
}

/// What the tests look at in the output of `drover status --json`.
struct Status: Decodable, Sendable {
    struct Member: Decodable, Sendable {
        let name: String
        let role: String?
        let state: String
        let timeline: Int?
        let lag: Int?
    }

    struct Balancer: Decodable, Sendable {
        let name: String
        let leader: [String]
        let replicas: [String]
        let holdsAddress: Bool
    }

    struct Finding: Decodable, Sendable {
        let severity: String
        let text: String
        let remedy: String
    }

    let members: [Member]
    let balancers: [Balancer]
    let findings: [Finding]

    var leader: String? { members.first { $0.role == "leader" }?.name }
}

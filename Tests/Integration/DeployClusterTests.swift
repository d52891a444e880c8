import Foundation
import Testing

/// The life of one cluster, from empty hosts to its refusals. The tests stand in the order of that life, and go on in the
/// files whose names begin with `DeployedCluster`, by their names, for tests are run in the order of files and lines.
@Suite("deploy-cluster", .serialized, .lab(of: 3))
struct DeployClusterTests {
    var lab: TestLab { TestLab.current }
    let hosts = ["pg1", "pg2", "pg3"]

    // MARK: A new cluster

    @Test("plan shows every file and unit, and touches nothing")
    func planTouchesNothing() async throws {
        let before = try await files()
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "--detailed-exitcode")
        #expect(plan.status == 2, "\(plan.everything)")
        for expected in [
            "write /etc/haproxy/haproxy.cfg  pg1 pg2 pg3", "+listen leader", "start etcd  pg1 pg2 pg3",
            "write /etc/patroni/config.yml  pg1", "create role app  pg1", "start keepalived  pg1 pg2 pg3",
        ] {
            #expect(plan.output.contains(expected), "\(plan.output)")
        }
        for secret in secrets {
            #expect(!plan.everything.contains(secret))
        }
        #expect(try await files() == before)
    }

    @Test("the reader of a plan finds no secret and no verifier in it, in no encoding")
    func planReader() async throws {
        let saved = "\(lab.folder)/read.json"
        let text = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory)
        let events = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "--json", "-o", saved)
        try #require(text.status == 0 && events.status == 0, "\(text.everything)\(events.everything)")
        let file = try String(contentsOfFile: saved, encoding: .utf8)
        #expect(file.contains("haproxy.cfg"))
        for (what, plan) in [("text", text.everything), ("events", events.everything), ("file", file)] {
            #expect(SecretForms.found(of: secrets, in: plan) == [], "in the \(what)")
            #expect(!plan.contains("SCRAM-SHA-256$"), "in the \(what)")
        }
        // What looks for secrets finds them.
        for (place, secret) in secrets.enumerated() {
            let file = Data("\(String(repeating: "x", count: place)): \(secret)\n".utf8)
            #expect(SecretForms.found(of: [secret], in: file.base64EncodedString()) != [])
        }
    }

    /// The passwords of the lab's inventory.
    private var secrets: [String] { ["superuser", "replication", "pooler", "app"].map(lab.password) }

    @Test("apply makes the cluster of what the plan said, SQL goes through the address, and no secret is seen anywhere")
    func deploy() async throws {
        let (report, saved) = ("\(lab.folder)/report.html", "\(lab.folder)/plan.json")
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "-o", saved)
        #expect(plan.status == 0)
        // Nothing of the packages is secret, and to trace their installation would take minutes.
        let packages = try await lab.apply(nil, "--tags", "packages")
        try #require(packages.status == 0, "\(packages.everything)")
        let trace = try await ProgramTrace.begin(on: "pg1", in: lab, whole: true)
        let (result, found) = try await SecretWatch.watching(for: secrets, least: 20) {
            try await lab.apply(nil, "--report", report)
        }
        let programs = try await trace.endWhole()
        try #require(result.status == 0, "\(result.everything)")
        #expect(found == [])
        #expect(programs.contains("execve(\"/usr/bin/systemctl\", [\"systemctl\", \"start\", \"patroni.service\"]"))
        let emitted = [
            ("output", result.everything), ("report", try String(contentsOfFile: report, encoding: .utf8)),
            ("plan", try String(contentsOfFile: saved, encoding: .utf8)), ("programs of pg1", programs),
        ]
        for (what, text) in emitted {
            for form in SecretForms.of(secrets) { #expect(!text.contains(form), "\(form) in the \(what)") }
        }
        for host in hosts {
            let patterns = secrets.map { "-e \($0)" }.joined(separator: " ")
            let left = try await lab.must(
                on: host,
                """
                { grep -rlF \(patterns) /var/lib/drover /run/drover /var/log --exclude-dir=kept; true; }
                journalctl --no-pager | grep -F \(patterns); true
                find /var/lib/drover -mindepth 1 -perm /077 ! -path '*/runs/*/*'
                find /var/lib/drover/runs -maxdepth 1 -perm /077
                """)
            #expect(left == "", "\(host)")
        }
        let planned = Steps.planned(in: plan.output)
        let applied = Steps.applied(in: packages.output).union(Steps.applied(in: result.output))
        #expect(applied.count > 60)
        #expect(result.output.linesOfOutput.filter { $0.hasSuffix("  failed=0  skipped=0") }.count == 3)
        #expect(applied.isSubset(of: planned), "\(applied.subtracting(planned))")

        try await sql("CREATE TABLE notes (text text)")
        try await sql("INSERT INTO notes VALUES ('written through the address')")
        try await lab.eventually("nothing to complain about") { $0.findings.isEmpty }
        let read = try await sql("SELECT text, pg_is_in_recovery() FROM notes", port: 5001)
        #expect(read == "written through the address|t\n")
    }

    // MARK: A second run

    @Test("apply a second time changes nothing, restarts nothing, and is quick")
    func secondRun() async throws {
        let before = try await startTimes()
        let clock = ContinuousClock()
        var durations: [Duration] = []
        for _ in 1...3 {
            let start = clock.now
            let result = try await lab.apply()
            durations.append(clock.now - start)
            #expect(result.status == 0, "\(result.everything)")
            expectNothingChanged(result)
        }
        // Another lab is at work beside this one, which makes a run longer, but none of three is quicker than it is.
        #expect(try #require(durations.min()) < .seconds(3), "\(durations)")
        #expect(try await startTimes() == before)
    }

    @Test("a converged host costs one connection, few exchanges, bytes and programs")
    func costs() async throws {
        let trace = try await ProgramTrace.begin(on: "pg2", in: lab)
        let result = try await lab.apply(nil, "--stats")
        let programs = try await trace.end()
        expectNothingChanged(result)
        let line = try #require(result.output.linesOfOutput.last { $0.hasPrefix("pg2  connections=") })
        let counts = Dictionary(
            uniqueKeysWithValues: line.split(separator: " ").dropFirst().map { word in
                let parts = word.split(separator: "=")
                return (String(parts[0]), Int(parts[1]) ?? .max)
            })
        #expect(counts["connections"] == 1)
        #expect(try #require(counts["exchanges"]) <= 3)
        #expect(try #require(counts["sent"]) < 64 * 1024)
        #expect(programs.count > 5)
        // Two of them read the public keys, six Patroni's file anew, with the rights of its owner: what is in it was made of the
        // host's memory.
        #expect(programs.count < 27, "\(programs)")
    }

    // MARK: Protection

    @Test("Patroni runs with its correction beside its fence, and without memory the kernel ends a backend")
    func protection() async throws {
        // Nothing here may lower the score of a process, so the postmaster's is raised: a backend sets its own back all the same.
        let score = "/proc/$(head -n 1 /var/lib/postgresql/15/main/postmaster.pid)/oom_score_adj"
        let read = "SELECT pg_read_file('/proc/self/oom_score_adj')"
        for host in hosts {
            let found = try await lab.must(
                on: host,
                """
                journalctl --unit=patroni --output=cat | grep -q '^Drover has corrected' && echo corrected
                systemctl is-active patroni-fence
                systemctl show --property=OOMPolicy --value patroni
                systemctl show --property=OOMScoreAdjust --value patroni
                echo 100 >\(score)
                runuser -u postgres -- psql -h /var/run/postgresql -XAtqc "\(read)" | grep .
                echo 0 >\(score)
                """)
            #expect(found == "corrected\nactive\ncontinue\n-900\n0\n", "\(host)")
        }
    }

    // MARK: Health

    @Test("status tells what is bad for the cluster, the worst first, and exits with 2 when it is asked to")
    func health() async throws {
        let leader = try #require(try await lab.status().leader)
        func sql(_ statements: String...) async throws {
            let words = statements.map { "-c \"\($0)\"" }.joined(separator: " ")
            try await lab.must(
                on: leader,
                "cd /; runuser -u postgres -- psql -h /var/run/postgresql -v ON_ERROR_STOP=1 -qAt \(words) app")
        }
        try await sql(
            "ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET synchronous_standby_names = '*'",
            "SELECT pg_reload_conf()", "CREATE SEQUENCE small AS smallint", "SELECT setval('small', 30000)")
        let found = try await lab.drover("status", "-i", lab.inventory, "--detailed-exitcode")
        #expect(found.status == 2, "\(found.everything)")
        for finding in [
            "critical  fsync is off on \(leader): a host that loses its power loses the database",
            "critical  92 % of the numbers of the sequence app.public.small are used up",
            "warning   synchronous_standby_names is '*' on \(leader)",
        ] {
            #expect(found.output.contains(finding), "\(found.output)")
        }
        try await sql(
            "ALTER SYSTEM RESET fsync", "ALTER SYSTEM RESET synchronous_standby_names", "SELECT pg_reload_conf()",
            "DROP SEQUENCE small")
        try await lab.eventually("nothing to complain about") { $0.findings.isEmpty }
        let well = try await lab.drover("status", "-i", lab.inventory, "--detailed-exitcode")
        #expect(well.status == 0, "\(well.everything)")
    }
}

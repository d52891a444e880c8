import Foundation
import Testing

/// A cluster on bare hosts: the plan, its secrets, and the installation of everything.
@Suite("deploy-cluster on bare hosts", .lab(of: 3))
struct DeployClusterTests {
    private var lab: TestLab { TestLab.current }
    private let hosts = ["pg1", "pg2", "pg3"]

    /// The passwords of the lab's inventory.
    private var secrets: [String] { ["superuser", "replication", "pooler", "app"].map(lab.password) }

    @Test("plan shows every file and unit, and changes nothing")
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

    @Test("a plan contains no secret and no verifier, in any encoding")
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
        // The search itself finds secrets.
        for (place, secret) in secrets.enumerated() {
            let file = Data("\(String(repeating: "x", count: place)): \(secret)\n".utf8)
            #expect(SecretForms.found(of: [secret], in: file.base64EncodedString()) != [])
        }
    }

    @Test(
        "apply executes its plan and exposes no secret, SQL works through the VIP, and a second apply changes nothing")
    func deploy() async throws {
        let (report, saved) = ("\(lab.folder)/report.html", "\(lab.folder)/plan.json")
        let plan = try await lab.drover("plan", "deploy-cluster", "-i", lab.inventory, "-o", saved)
        #expect(plan.status == 0)
        // As needrestart does it, which restarts daemons.
        for host in hosts {
            try await lab.must(
                on: host,
                """
                echo 'DPkg::Post-Invoke { "test $NEEDRESTART_SUSPEND || touch /run/restarted"; };' >/etc/apt/apt.conf.d/99needrestart
                """)
        }
        // Nothing of the packages is secret, and to trace their installation would take minutes.
        let packages = try await lab.apply(nil, "--tags", "packages")
        try #require(packages.status == 0, "\(packages.everything)")
        for host in hosts { try await lab.must(on: host, "[ ! -e /run/restarted ]") }
        let trace = try await ProgramTrace.begin(on: "pg1", in: lab, whole: true)
        let (result, found) = try await SecretWatch.watching(for: secrets, least: 20) {
            try await lab.apply(nil, "--report", report)
        }
        let status = try await lab.status()
        let programs = try await trace.endWhole()
        try #require(result.status == 0, "\(result.everything)")
        #expect(status.findings.isEmpty, "the deployment ends when the balancers lead to all members")
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

        try await lab.appSQL("CREATE TABLE notes (text text)")
        try await lab.appSQL("INSERT INTO notes VALUES ('written through the address')")
        let read = try await lab.appSQL("SELECT text, pg_is_in_recovery() FROM notes", port: 5001)
        #expect(read == "written through the address|t\n")

        let starts = try await lab.startTimes(of: hosts)
        expectNothingChanged(try await lab.apply())
        #expect(try await lab.startTimes(of: hosts) == starts)
    }

    /// Every file with its size and its times, except those that a login or a clock writes.
    private func files() async throws -> [String] {
        var files: [String] = []
        for host in hosts {
            files += try await lab.must(
                on: host,
                """
                find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /dev -o -path /var/log \
                    -o -path /var/lib/systemd \\) -prune -o -printf '\(host) %p %y %s %T@ %C@\\n' | sort
                """
            ).linesOfOutput
        }
        return files
    }
}

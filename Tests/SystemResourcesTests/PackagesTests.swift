import Diagnostics
import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Packages")
struct PackagesTests {
    private func changes(_ wanted: Packages, _ installed: [String: PackageStatus.Answer]) throws -> [Change] {
        var facts = Facts()
        for question in wanted.questions.compactMap({ $0 as? PackageStatus }) {
            facts.record(installed[question.package] ?? .absent, to: question)
        }
        return try wanted.changes(given: facts, after: PendingEffects())
    }

    private static let rows: [(wanted: [Package], expected: [String])] = [
        ([], []), (["curl", "etcd"], []), (["curl", "haproxy", "etcd"], ["install haproxy"]),
        (["haproxy", "nginx"], ["install haproxy nginx"]), (["half"], ["install half"]),
        ([Package("curl", version: "7.88.1-10")], []), ([Package("curl", version: "7.88*")], []),
        ([Package("curl", version: "7.88.1-9")], ["change curl 7.88.1-10 → 7.88.1-9"]),
        ([Package("curl", version: "8.*"), "haproxy"], ["install haproxy, change curl 7.88.1-10 → 8.*"]),
        ([Package("haproxy", version: "2.6.*")], ["install haproxy=2.6.*"]),
        ([.absent("haproxy"), .absent("removed"), .absent("haproxy", purged: true)], []),
        ([.absent("curl"), .absent("etcd", purged: true)], ["remove curl, purge etcd"]),
        ([.absent("removed", purged: true)], ["purge removed"]),
        (["haproxy", .absent("curl")], ["install haproxy, remove curl"]),
        ([Package("curl", held: true), Package("etcd", held: true)], ["hold curl"]),
        ([Package("etcd", held: false), Package("curl", held: false)], ["unhold etcd"]),
        ([Package("haproxy", held: true)], ["install haproxy", "hold haproxy"]),
        ([Package("etcd", version: "3", held: true)], ["change etcd 0.1 → 3"]),
    ]

    @Test("does in one transaction what is to be done, and upgrades nothing unasked", arguments: rows)
    func decides(wanted: [Package], expected: [String]) throws {
        let changes = try changes(
            Packages(wanted),
            [
                "curl": .init(version: "7.88.1-10"), "etcd": .init(version: "0.1", isHeld: true),
                "half": .init(version: nil), "removed": .init(version: nil),
            ])
        #expect(changes.map(\.summary) == expected)
        #expect(changes.map(\.mustFinish).allSatisfy { $0 })
        let disturbs = expected.contains { $0.contains("change") || $0.contains("remove") || $0.contains("purge") }
        #expect(changes.map(\.isDisturbing).contains(true) == disturbs)
    }

    @Test(
        "names and versions that cannot be are told",
        arguments: [
            Package("Curl"), Package("c"), Package("curl=1"), Package("-y"), Package("curl", version: "v1"),
            Package("curl", version: "1 2"), Package("curl", version: "*"), .absent("a b"),
        ])
    func wrong(package: Package) {
        #expect(throws: Diagnostic.self) { try changes(Packages([package]), [:]) }
    }

    private func change(_ wanted: [String], installed: [String: String]) throws -> [Change] {
        try changes(Packages(wanted), installed.mapValues { .init(version: $0) })
    }

    /// What replaces apt: it tells what it is called with, and whether a daemon may be started meanwhile.
    private func apt(_ policy: String, simulation: String = "exit 0", _ rest: String = "") -> String {
        """
        for last; do :; done
        case $* in *--simulate*) \(simulation) ;; esac
        echo "apt-get … $last $DEBIAN_FRONTEND"
        \(ShellText.quoting(policy)) haproxy start; echo "policy says $?"
        \(rest)
        """
    }

    /// Carries out one change in a world whose apt's lists are some days old.
    private func run(
        _ change: Change, in directory: TemporaryDirectory, apt: String, days: Int = 9, cache: String = "echo known"
    ) async throws -> (ShellRun, lines: [String]) {
        let policy = directory.path + "/policy-rc.d"
        let lists = try TemporaryDirectory()
        _ = try await ShellRun.of("mkdir \(lists.path)/partial; touch -d '\(days) days ago' \(lists.path)/partial")
        let script = change.script.reveal().replacing("/usr/sbin/policy-rc.d", with: ShellText.quoting(policy).reveal())
            .replacing("/var/lib/apt/lists", with: lists.path)
        let change = Change("", script: .init(trusted: script, because: "a test runs it"))
        let run = try await HostShell.run(
            [change],
            with: [
                "dpkg": "echo dpkg \"$@\"", "apt-get": apt, "systemctl": "echo systemctl \"$@\"",
                "apt-mark": "echo apt-mark \"$@\" >&2", "apt-cache": cache,
            ])
        return (run, run.output.linesOfText)
    }

    private func install(
        in directory: TemporaryDirectory, aptStatus: Int = 0
    ) async throws -> (ShellRun, lines: [String]) {
        let change = try only(change(["curl", "haproxy"], installed: [:]))
        let apt = apt(directory.path + "/policy-rc.d", "[ \"$last\" = update ] || exit \(aptStatus)")
        return try await run(change, in: directory, apt: apt)
    }

    @Test("the lists are fetched only when they are old, or do not have what is wanted")
    func lists() async throws {
        let directory = try TemporaryDirectory()
        let change = try only(change(["haproxy"], installed: [:]))
        func calls(_ simulation: String, days: Int, _ rest: String = "") async throws -> [String] {
            let apt = apt(directory.path + "/policy-rc.d", simulation: simulation, rest)
            let (run, lines) = try await run(change, in: directory, apt: apt, days: days)
            return lines.filter { $0.hasPrefix("apt-get") } + ["\(run.status)"]
        }
        let update = "apt-get … update noninteractive"
        let install = "apt-get … haproxy noninteractive"
        #expect(try await calls("exit 0", days: 0) == [install, "0"])
        #expect(try await calls("exit 0", days: 2) == [update, install, "0"])
        let unknown = ShellText.quoting(directory.path + "/refreshed")
        let first = "[ -e \(unknown) ] || { touch \(unknown); exit 100; }; exit 0"
        #expect(try await calls(first, days: 0) == [update, install, "0"])
        // What is no longer where the lists say it is.
        let gone = "[ \"$last\" = update ] || [ -e \(unknown)2 ] || { touch \(unknown)2; exit 100; }"
        #expect(try await calls("exit 0", days: 0, gone) == [install, update, install, "0"])
        #expect(try await calls("exit 0", days: 0, "[ $last = update ] || exit 7") == [install, update, install, "7"])
        #expect(try await calls("exit 0", days: 2, "[ $last = update ] || exit 7") == [update, install, "7"])
    }

    @Test("a package that no repository has is named")
    func unknown() async throws {
        let directory = try TemporaryDirectory()
        let change = try only(change(["curl", "hapoxy"], installed: [:]))
        let (run, lines) = try await run(
            change, in: directory, apt: apt(directory.path + "/policy-rc.d", simulation: "exit 100"),
            cache: "[ $2 = hapoxy ] || echo known")
        #expect(run.status == 100)
        #expect(lines.last?.hasPrefix("no repository of this host has a package hapoxy:") == true)
        #expect(!lines.contains { $0.contains("a package curl") })
    }

    @Test("what nobody has named is not removed")
    func removal() async throws {
        let directory = try TemporaryDirectory()
        let wanted = Packages(["haproxy", .absent("curl")])
        let change = try only(changes(wanted, ["curl": .init(version: "1")]))
        for (removed, status) in [("Remv curl [1]", Int32(0)), ("Remv curl:i386 [1]\nRemv precious [2] []", 1)] {
            let simulation = "printf 'Inst haproxy\\n%s\\n' '\(removed)'; exit 0"
            let (run, lines) = try await run(
                change, in: directory, apt: apt(directory.path + "/policy-rc.d", simulation: simulation))
            #expect(run.status == status)
            let sentence = "this would also remove precious: name them too, as Package.absent, if they are to go"
            #expect((lines.last == sentence) == (status == 1), "\(lines)")
        }
    }

    @Test("another version is installed over a hold that stays, and restarts what runs", arguments: [0, 100])
    func otherVersion(status: Int) async throws {
        let directory = try TemporaryDirectory()
        let wanted = Packages([Package("haproxy", version: "2.*")])
        let change = try only(changes(wanted, ["haproxy": .init(version: "1", isHeld: true)]))
        let policy = ShellText.quoting(directory.path + "/policy-rc.d")
        let (run, lines) = try await run(
            change, in: directory,
            apt: apt(
                directory.path + "/policy-rc.d",
                "echo \"offline=$SYSTEMD_OFFLINE $*\"; \(policy) x restart; echo \"restart: $?\"; "
                    + "[ $last = update ] || exit \(status)"))
        #expect(run.status == Int32(status))
        #expect(run.errorOutput.linesOfText == ["apt-mark unhold haproxy", "apt-mark hold haproxy"])
        #expect(lines.contains("restart: 0"))
        #expect(lines.contains("policy says 101"))
        #expect(
            lines.contains {
                $0.hasPrefix("offline= ") && $0.contains("--allow-downgrades") && $0.hasSuffix("-- haproxy=2.*")
            })
    }

    @Test("purges what only left its configuration, too")
    func purge() async throws {
        let directory = try TemporaryDirectory()
        let change = try only(changes(Packages([.absent("x1", purged: true)]), ["x1": .init(version: nil)]))
        let (run, lines) = try await run(change, in: directory, apt: apt(directory.path + "/policy-rc.d"))
        #expect(run.status == 0)
        #expect(lines.suffix(2) == ["dpkg --purge x1", "systemctl daemon-reload"])
    }

    @Test("no daemon is started meanwhile, and the policy is gone afterwards")
    func noDaemon() async throws {
        let directory = try TemporaryDirectory()
        let (run, lines) = try await install(in: directory)
        #expect(run.status == 0)
        #expect(run.errorOutput == "")
        #expect(
            lines == [
                "dpkg --configure -a", "apt-get … update noninteractive", "policy says 101",
                "apt-get … haproxy noninteractive", "policy says 101", "systemctl daemon-reload",
            ])
        #expect(try directory.names == [])
    }

    @Test("the policy is gone also after a failure")
    func failure() async throws {
        let directory = try TemporaryDirectory()
        let (run, _) = try await install(in: directory, aptStatus: 100)
        #expect(run.status == 100)
        #expect(try directory.names == [])
    }

    @Test("a policy of the host's own comes back, whatever became of the last run", arguments: [false, true])
    func ownPolicy(afterCrash: Bool) async throws {
        let own = "#!/bin/sh\necho own policy; exit 104\n"
        let directory = try TemporaryDirectory(
            afterCrash
                ? ["policy-rc.d.before-drover": own, "policy-rc.d": "#!/bin/sh\n# drover: left behind\nexit 0\n"]
                : ["policy-rc.d": own])
        let (run, lines) = try await install(in: directory)
        #expect(run.status == 0)
        #expect(lines.count { $0 == "policy says 101" } == 2)
        #expect(try directory.names == ["policy-rc.d"])
        #expect(try directory.text(of: "policy-rc.d") == own)
    }

    @Test(
        "a policy whose maker has died forbids nothing, and still asks the host's own", arguments: [false, true],
        [false, true])
    func orphan(hasOwn: Bool, changesVersion: Bool) async throws {
        let directory = try TemporaryDirectory(
            hasOwn ? ["policy-rc.d": "#!/bin/sh\necho \"own: $*\"; exit 104\n"] : [:])
        let policy = ShellText.quoting(directory.path + "/policy-rc.d")
        let wanted = Packages([Package("curl", version: changesVersion ? "2" : nil)])
        let change = try only(changes(wanted, changesVersion ? ["curl": .init(version: "1")] : [:]))
        let script = change.script.reveal().replacing("/usr/sbin/policy-rc.d", with: policy.reveal())
        // The maker dies without a chance to clean up.
        let run = try await ShellRun.of(
            """
            if [ -e \(policy) ]; then chmod +x \(policy); fi
            sh -c \(ShellText.quoting("dpkg() { kill -KILL $$; }\n" + script)) 2>/dev/null
            \(policy) haproxy start; echo "policy says $?"
            """)
        #expect(
            run.output.linesOfText
                == (hasOwn ? ["own: haproxy start", "policy says 104"] : ["policy says 0"]))
    }
}

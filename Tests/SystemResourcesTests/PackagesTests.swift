import Drover
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Packages")
struct PackagesTests {
    private func change(_ wanted: [String], installed: [String: String]) throws -> [Change] {
        var facts = Facts()
        for package in wanted { facts.record(installed[package], to: PackageVersion(package)) }
        return try Packages(wanted).changes(given: facts, after: PendingEffects())
    }

    @Test("installs in one transaction what is missing, and upgrades nothing")
    func decides() throws {
        #expect(try change([], installed: [:]).isEmpty)
        #expect(try change(["curl", "etcd"], installed: ["curl": "1", "etcd": "0.1"]).isEmpty)
        let change = try only(change(["curl", "etcd", "haproxy"], installed: ["etcd": "1"]))
        #expect(change.summary == "install curl haproxy")
        #expect(change.mustFinish)
    }

    /// Installs with an apt that tells what it is called with, and whether a daemon may be started meanwhile.
    private func install(
        in directory: TemporaryDirectory, aptStatus: Int = 0
    ) async throws -> (ShellRun, lines: [String]) {
        var change = try only(change(["curl", "haproxy"], installed: [:]))
        let policy = directory.path + "/policy-rc.d"
        let script = change.script.reveal().split(separator: "/usr/sbin/policy-rc.d", omittingEmptySubsequences: false)
        change.script = MaskedText(script.joined(separator: Shell.quote(policy)))
        let apt = """
            for last; do :; done
            echo "apt-get … $last $DEBIAN_FRONTEND"
            \(Shell.quote(policy)) haproxy start; echo "policy says $?"
            [ "$last" = update ] || exit \(aptStatus)
            """
        let run = try await HostShell.run(
            [change],
            with: [
                "dpkg": "echo dpkg \"$@\"", "apt-get": apt, "systemctl": "echo systemctl \"$@\"",
            ])
        return (run, run.output.linesOfText)
    }

    @Test("no daemon is started meanwhile, and the policy is gone afterwards")
    func policy() async throws {
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

    @Test("a policy whose maker has died forbids nothing, and still asks the host's own", arguments: [false, true])
    func orphan(hasOwn: Bool) async throws {
        let directory = try TemporaryDirectory(
            hasOwn ? ["policy-rc.d": "#!/bin/sh\necho \"own: $*\"; exit 104\n"] : [:])
        let policy = Shell.quote(directory.path + "/policy-rc.d")
        let change = try only(change(["curl"], installed: [:]))
        let script = change.script.reveal().split(separator: "/usr/sbin/policy-rc.d", omittingEmptySubsequences: false)
            .joined(separator: policy)
        // The maker dies without a chance to clean up.
        let run = try await ShellRun.of(
            """
            if [ -e \(policy) ]; then chmod +x \(policy); fi
            sh -c \(Shell.quote("dpkg() { kill -KILL $$; }\n" + script)) 2>/dev/null
            \(policy) haproxy start; echo "policy says $?"
            """)
        #expect(
            run.output.linesOfText
                == (hasOwn ? ["own: haproxy start", "policy says 104"] : ["policy says 0"]))
    }
}

import Engine
import FoundationEssentials
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Directories of a recovery")
struct RecoveryPlacesTests {
    private let user = ProcessInfo.processInfo.userName

    private static func intent(discards: Bool, backup: String = "B") -> RecoveryIntent {
        RecoveryIntent(
            id: "1T1Z", host: "pg1", system: "111", target: RecoveryTarget(.latest), backup: backup, timelines: [1],
            discards: discards, end: nil, moment: nil)
    }

    /// A data directory `main` with a tablespace `space`, both with something in it.
    private func directory() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(["main/PG_VERSION": "15", "space/PG_15/old": ""])
        let made = try await ShellRun.of(
            """
            cd '\(directory.path)' && mkdir main/pg_tblspc && ln -s "$PWD/space" main/pg_tblspc/7
            touch main/postgresql.conf main/postgresql.auto.conf
            """)
        try #require(made == .silent)
        return directory
    }

    private func scripts(_ directory: TemporaryDirectory, discards: Bool = false, backup: String = "B")
        throws -> RecoveryScripts
    {
        let recovery = Recovery(of: try Sample.cluster(BackupSample.text(), state: .new) { _, _ in })
        var server = recovery.server
        server.directory = "\(directory.path)/main"
        server.user = ProcessInfo.processInfo.userName
        return RecoveryScripts(
            server: server, catalog: recovery.leaderLog.catalog, course: Self.intent(discards: discards, backup: backup)
        )
    }

    /// Runs steps where there is neither systemd nor the user `postgres`.
    private func run(_ scripts: String..., backupHas listing: String = "") async throws -> ShellRun {
        try await ShellRun.of(
            """
            journal=
            \(JournalScript.functions)
            set -e
            mark() { :; }
            unmark() { :; }
            say() { printf '%s\\n' "$@"; }
            systemctl() { return 1; }
            runuser() { case $* in *' info') echo '\(listing)' ;; esac; }
            make_directory() { mkdir -p -m "$3" "$1"; }

            """ + scripts.map { "(\n\($0)\n)\n" }.joined())
    }

    private func list(_ directory: TemporaryDirectory) async throws -> String {
        try await ShellRun.of("cd '\(directory.path)' && find . -name old -o -name new -o -type d -empty | sort").output
    }

    @Test("where a tablespace was stays an empty directory, for those who may make none there; it comes back as it was")
    func keeping() async throws {
        let directory = try await directory()
        let scripts = try scripts(directory)
        #expect(
            try await run(scripts.setAside(isHost: true).reveal(), scripts.setAside(isHost: true).reveal()) == .silent)
        #expect(try await list(directory) == "./space\n./space.removed-1T1Z/PG_15/old\n")
        let restored = try await ShellRun.of(
            """
            cd '\(directory.path)' && mkdir -p main/pg_tblspc space/PG_15 && touch space/PG_15/new
            ln -s "$PWD/space" main/pg_tblspc/7
            """)
        #expect(restored == .silent)
        #expect(try await run(scripts.bringBack.reveal()) == .silent)
        #expect(try await list(directory) == "./space/PG_15/old\n")
        #expect(try await ShellRun.of("cat '\(directory.path)/main/PG_VERSION'").output == "15")
    }

    @Test("the advice at the end is a command that removes what it names, whatever that is called")
    func advice() async throws {
        let directory = try TemporaryDirectory(["main.removed-1T1Z/x": "", "it's; a $(space).removed-1T1Z/PG_15/1": ""])
        let made = try await ShellRun.of(
            """
            cd '\(directory.path)' && mkdir main.removed-1T1Z/pg_tblspc
            ln -s "$PWD/it's; a \\$(space)" main.removed-1T1Z/pg_tblspc/7
            """)
        try #require(made == .silent)
        let run = try await run("marker=/dev/null\nmv() { :; }\nsync() { :; }\n" + scripts(directory).finish.reveal())
        let advice = try #require(run.output.linesOfText.first { $0.contains("rm -rf") }, "\(run)")
        let command = advice[try #require(advice.firstRange(of: "rm -rf")).lowerBound...]
        #expect(try await ShellRun.of(String(command)) == .silent)
        #expect(try directory.names == [])
    }

    @Test(
        "a link to what is not PostgreSQL's stops it before anything is renamed or removed", arguments: [false, true])
    func strayLink(discards: Bool) async throws {
        let directory = try await directory()
        let made = try await ShellRun.of(
            "cd '\(directory.path)' && mkdir etc && touch etc/old && ln -s \"$PWD/etc\" main/pg_tblspc/8")
        try #require(made == .silent)
        let before = try await list(directory)
        let run = try await run(scripts(directory, discards: discards).setAside(isHost: false).reveal())
        #expect(run.status == 1)
        #expect(run.output.contains("leads to \(directory.path)/etc: it also holds old"), "\(run)")
        #expect(try await list(directory) == before)
    }

    @Test("what is not kept leaves its directories, on which something may be mounted")
    func discarding() async throws {
        let directory = try await directory()
        #expect(try await run(scripts(directory, discards: true).setAside(isHost: false).reveal()) == .silent)
        #expect(try await list(directory) == "./main\n./space\n")
    }

    @Test("what one host says of a recovery is no shell text on the others")
    func foreignMarker() async throws {
        let directory = try await directory()
        let scripts = try scripts(directory, backup: "$(touch \(directory.path)/run)")
        #expect(try await run(scripts.restore.reveal()).status == 0)
        #expect(try await ShellRun.of("ls '\(directory.path)'").output == "main\nspace\n")
        let marker = ["host": "pg1", "system": "1", "target": "latest", "backup": "B", "timelines": "1"]
        #expect(RecoveryIntent(marker.merging(["id": "20261122T150405Z"]) { $1 }) != nil)
        for id in ["$(id)", "x|e", "a b", "", "x\ny"] {
            #expect(RecoveryIntent(marker.merging(["id": id]) { $1 }) == nil, "\(id)")
        }
    }

    @Test("a tablespace that the log makes finds nothing of what was there", arguments: [true, false])
    func stale(isInBackup: Bool) async throws {
        let directory = try await directory()
        let listing = "            space (\(isInBackup ? 7 : 77)) => /srv/space"
        #expect(try await run(scripts(directory).restore.reveal(), backupHas: listing) == .silent)
        #expect(try await list(directory).contains("space/PG_15/old") == isInBackup)
    }

    @Test("who recovers beside the cluster has tablespaces of its own where the cluster has its")
    func seclusion() async throws {
        let directory = try await directory()
        let root = directory.path
        let seclusion = Seclusion(cluster: "\(root)/main", directory: "\(root)/own", user: user)
        let run = try await ShellRun.of(
            """
            journal=
            \(JournalScript.functions)
            \(seclusion.definition)
            \(Seclusion.mounts)
            mkdir -p '\(root)/copy/pg_tblspc'; ln -s '\(root)/space' '\(root)/copy/pg_tblspc/7'
            ln -s '\(root)/elsewhere' '\(root)/copy/pg_tblspc/8'
            resettle '\(root)/copy'; resettle '\(root)/copy'
            echo; readlink '\(root)/copy/pg_tblspc/7' '\(root)/copy/pg_tblspc/8'
            """)
        #expect(
            run.output == """
                "\(root)/own\(root)/space":"\(root)/space"
                \(root)/own\(root)/space
                \(root)/elsewhere

                """, "\(run)")
    }

    @Test("only who recovers beside a cluster with tablespaces has something mounted", arguments: [nil, false, true])
    func mounting(hasTablespace: Bool?) async throws {
        let directory = try await directory()
        let root = directory.path
        let cluster = "\(root)/\(hasTablespace == true ? "main" : "none")"
        var server = try scripts(directory).server
        if hasTablespace != nil { server.seclusion = Seclusion(cluster: cluster, directory: "\(root)/own", user: user) }
        let run = try await ShellRun.of(
            """
            journal=
            \(JournalScript.functions)
            set -eu
            mkdir '\(root)/bin'
            printf '#!/bin/sh\\nfor word; do case $word in *BindPaths*) echo "$word" ;; esac; done\\n' >'\(root)/bin/systemd-run'
            chmod +x '\(root)/bin/systemd-run'
            PATH='\(root)/bin':$PATH
            \(server.definition)
            control() { echo 1; }
            systemctl() { return 1; }
            serve
            """)
        #expect(run.status == 0, "\(run)")
        let expected = "--property=BindPaths=\"\(root)/own\(root)/space\":\"\(root)/space\"\n"
        #expect(run.output == (hasTablespace == true ? expected : ""), "\(run)")
    }

    @Test(
        "the plan names all directories; what is mounted somewhere cannot be kept under another name",
        arguments: [false, true])
    func guards(isMountPoint: Bool) throws {
        let cluster = try Sample.cluster(
            BackupSample.text(), state: .running(leader: nil, withDatabase: ["pg2"])
        ) { observed, configuration in
            let path = configuration.postgres.dataDirectory
            observed[configuration.members[0].host].record(
                .init(places: [.init(path: "/mnt/fast", isMountPoint: isMountPoint), .init(path: path)]),
                to: DataPlaces(path: path))
        }
        for discards in [false, true] {
            let recovery = Recovery(
                of: cluster,
                as: RecoveryRequest(
                    target: RecoveryTarget(.latest), promotes: true, aborts: false, discards: discards, inspection: nil,
                    mark: "now"))
            #expect(
                recovery.places(on: recovery.configuration.members[0].host).map(\.path)
                    == ["/mnt/fast", "/var/lib/postgresql/15/main"])
            let refusal = try #require(throws: Refusal.self) { try recovery.confirmation() }
            #expect(
                refusal.reason.contains("/mnt/fast, where a tablespace or the log is, is a mount point on pg1")
                    == (isMountPoint && !discards), "\(refusal)")
        }
    }
}

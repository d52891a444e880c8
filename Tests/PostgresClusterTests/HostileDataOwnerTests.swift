import Engine
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

/// Whatever the owner of the data or of the backups does meanwhile, root changes nothing and prints nothing beyond what the
/// owner may.
@Suite("Data of a hostile owner", .serialized, .enabled(if: HostileOwner.isPossible, "only root can run these"))
struct HostileDataOwnerTests {
    /// What is done in a directory of the owner, given its path.
    private static let scripts: [(name: String, script: @Sendable (String) throws -> String)] = [
        ("SetAside", { try setAside(in: $0, deletes: false) }),
        ("SetAside, deleting", { try setAside(in: $0, deletes: true) }),
        ("SetAside in mount points", { try setAside(in: $0, deletes: false, isMountPoint: true) }),
        ("SetAside, deleting in mount points", { try setAside(in: $0, deletes: true, isMountPoint: true) }),
        ("StanzaAside", stanzaAside),
        ("a recovery that keeps the old data", { try recovery(in: $0).setAside(isHost: true).reveal() }),
        ("a recovery that discards it", { try recovery(in: $0, discards: true).setAside(isHost: false).reveal() }),
        ("a recovery that restores", { try recovery(in: $0).restore.reveal() }),
        (
            "a recovery that promotes",
            { path in
                let scripts = try recovery(in: path)
                return scripts.recover(restoring: scripts.restore).reveal() + "\n" + scripts.promote.reveal()
            }
        ),
        (
            "a recovery that is given up",
            { path in
                let scripts = try recovery(in: path)
                return "(\n\(scripts.setAside(isHost: true).reveal())\n)\n" + scripts.bringBack.reveal()
            }
        ),
        (
            "the end of a recovery",
            { path in
                let scripts = try recovery(in: path)
                return "(\n\(scripts.setAside(isHost: true).reveal())\n)\n(\n\(scripts.finish.reveal())\n)"
            }
        ),
        ("BackupRestoration", restoration),
        ("adoption", adoption),
    ]

    private static func setAside(in path: String, deletes: Bool, isMountPoint: Bool = false) throws -> String {
        let resource = SetAside(directory: "\(path)/main", user: HostileOwner.user, deletes: deletes)
        let places = ["space", "main"].map { DataPlaces.Place(path: "\(path)/\($0)", isMountPoint: isMountPoint) }
        var facts = Facts()
        facts.record(
            .init(places: places, setAside: ["\(path)/space.removed-1T1Z"]),
            to: DataPlaces(path: resource.directory, user: HostileOwner.user))
        return try script(of: resource, given: facts)
    }

    private static func stanzaAside(in path: String) throws -> String {
        let folders = StanzaFolders(path: path, stanza: "demo", user: HostileOwner.user)
        var facts = try BackupSample.facts(BackupSample.info)
        facts.record(.init(parts: [.archive, .backup]), to: folders)
        let resource = StanzaAside(info: BackupSample.question, folders: folders, cluster: "7710985427043285199")
        return try script(of: resource, given: facts)
    }

    private static func recovery(in path: String, discards: Bool = false) throws -> RecoveryScripts {
        let recovery = Recovery(of: try Sample.cluster(BackupSample.text(), state: .new) { _, _ in })
        var server = recovery.server
        server.directory = "\(path)/main"
        server.user = HostileOwner.user
        return RecoveryScripts(
            server: server, catalog: recovery.leaderLog.catalog, course: intent(discards: discards))
    }

    private static func intent(discards: Bool = false) -> RecoveryIntent {
        RecoveryIntent(
            id: "1T1Z", host: "pg1", system: "111", target: RecoveryTarget(.latest), backup: "B", timelines: [1],
            discards: discards, end: nil, moment: nil)
    }

    private static func restoration(in path: String) throws -> String {
        let recovery = Recovery(of: try Sample.cluster(BackupSample.text(), state: .new) { _, _ in })
        let restoration = Restoration(
            recovery: recovery, target: RecoveryTarget(.latest), directory: "\(path)/restored")
        return restoration.script(intent()).reveal()
            .replacing(recovery.configuration.postgres.dataDirectory, with: "\(path)/main")
            .replacing("user='postgres'", with: "user='\(HostileOwner.user)'")
            .replacing("owner=postgres", with: "owner=\(HostileOwner.user)")
    }

    /// The names in the file of another user, which is the canary, are among what an adopted server keeps.
    private static func adoption(in path: String) throws -> String {
        let adoption = try AdoptionTests.adoption()
        let canary = path.replacing("/home/d", with: "/canary/f")
        let files = try (adoption.preparation + adoption.takeover).filter { resource in
            ["file ", "command "].contains(where: resource.name.hasPrefix)
        }
        #expect(files.count == 4)
        return try files.map { file in
            var facts = Facts()
            for question in file.questions { facts.recordAbsence(of: question) }
            return "(\n\(try script(of: file, given: facts))\n) || :\n"
        }.joined()
            .replacing("/etc/postgresql/15/main/pg_ident.conf", with: canary)
            .replacing("/etc/postgresql/15/main", with: path)
            .replacing(adoption.cluster.configuration.postgres.dataDirectory, with: path)
    }

    private static func script(of resource: some Resource, given facts: Facts) throws -> String {
        try resource.changes(given: facts, after: PendingEffects()).map { "(\n\($0.script.reveal())\n) || :\n" }
            .joined()
    }

    /// What there is in the directory of the owner, and in the canary: the directories of a server, and of a repository.
    private static let files = [
        "f", "main/PG_VERSION", "main/postgresql.conf", "main/postgresql.auto.conf", "space/PG_15/1",
        "space.removed-1T1Z/PG_15/1", "main/pg_tblspc/7/PG_15/1", "main.removed-1T1Z/pg_tblspc/7/PG_15/1",
        "archive/demo/1", "backup/demo/1", "restored/data/pg_tblspc/7/PG_15/1",
    ]

    /// The owner makes everything anew before each turn. Programs that are not here do nothing, or print what leads further.
    private static let settingUp = """
        tries=0
        until $as_owner sh -ec '
            cd "$1/home/d"
            rm -rf -- ../spare main* space* archive backup restored
            mkdir -p main/pg_tblspc space/PG_15 archive/demo backup/demo space.removed-1T1Z/PG_15
            touch main/postgresql.conf main/postgresql.auto.conf
            ln -s "$1/home/d/space" main/pg_tblspc/7
        ' sh "$root" 2>/dev/null; do
            [ $tries -lt 200 ] || { echo "the owner can make nothing any more"; exit 1; }
            tries=$((tries + 1))
        done

        """

    private static let programs = [
        "systemctl": "exit 0", "journalctl": "exit 0", "systemd-run": "exit 0",
        "psql": "case $* in *SHOW*) echo 100 ;; *there*) echo there ;; *) echo t ;; esac",
        "pg_controldata": "printf '%s\\n' 'max_connections setting: 10' 'Database cluster state: shut down'",
        "pgbackrest": """
        for word; do case $word in --pg1-path=*) cd -- "${word#*=}" || exit ;; esac; done
        [ "$PWD" != / ] || cd "$root/home/d/main" || exit
        mkdir -p pg_tblspc && ln -sfn "$root/home/d/space" pg_tblspc/7
        touch postgresql.conf postgresql.auto.conf
        """,
    ]

    @Test("links that come and go lead root nowhere", arguments: scripts.indices)
    func attack(index: Int) async throws {
        let (name, script) = Self.scripts[index]
        let owner = try await HostileOwner(canary: Self.files)
        let before = try await owner.canary()
        let programs = Self.programs.map { program, text in
            "cat >\"$root/bin/\(program)\" <<'END'\n#!/bin/sh\n\(text)\nEND\n"
        }.joined()
        let (run, leaks) = try await owner.attack(
            Self.settingUp
                + script(owner.swapped)
                .replacing("/usr/lib/postgresql/15/bin", with: "\(owner.directory.path)/bin")
                .replacing("postgres:postgres", with: "\(HostileOwner.user):nogroup")
                .replacing("-u postgres", with: "-u \(HostileOwner.user)"),
            times: 10, swapping: ["main/pg_tblspc/7", "main", "space", "archive", "backup/demo", "restored"],
            prologue: """
                export root='\(owner.directory.path)'
                mkdir "$root/bin" && \(programs)
                chmod 755 "$root/bin" "$root/bin/"*
                PATH=$root/bin:$PATH marker=$root/marker
                mark() { :; }
                unmark() { :; }
                \(ShellText.say)
                \(JournalScript.functions)

                """)
        #expect(run.status == 0, "\(name): \(run)")
        #expect(try await owner.canary() == before, "\(name): \(run.output)")
        #expect(leaks == "", "\(name)")
        #expect(!run.output.contains(HostileOwner.secret), "\(name)")
    }
}

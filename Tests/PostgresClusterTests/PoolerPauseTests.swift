import Engine
import Secrets
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("the pause of a pooler")
struct PoolerPauseTests {
    private func pause() throws -> PoolerPause {
        PoolerPause(server: PostgresCatalog(of: try Sample.configuration(), databases: []), port: 6432)
    }

    @Test("a pooler is paused until somebody else leads, and always goes on")
    func pooler() throws {
        let pause = try pause()
        let cluster = PatroniStatus.cluster(at: PatroniAPI(address: "10.0.0.1", port: 8008))
        let sign = HandoverSign.leads("pg2", view: cluster)
        let paused = PausedPooler(
            pause: pause, isDone: sign,
            successor: .init(address: "10.0.0.2", port: 5432, api: PatroniAPI(address: "10.0.0.2", port: 8008)))
        let resumed = ResumedPooler(pause: pause, willBePausedUntil: sign, isPassedOn: true)
        let course: [(leader: String, paused: Bool, pauses: Bool, resumes: Bool)] = [
            ("pg1", false, true, true), ("pg1", true, false, true), ("pg2", true, false, true),
            ("pg2", false, false, false),
        ]
        for state in course {
            var facts = Facts()
            facts.record(state.paused, to: pause.question)
            facts.record(
                .init(
                    status: 200,
                    body: #"{"members": [{"name": "\#(state.leader)", "role": "leader", "state": "running"}]}"#),
                to: cluster)
            #expect(try !paused.changes(given: facts, after: PendingEffects()).isEmpty == state.pauses)
            #expect(try !resumed.changes(given: facts, after: PendingEffects()).isEmpty == state.resumes)
        }
        // The host itself ends what a run that died has begun.
        var facts = Facts()
        facts.record(false, to: pause.question)
        facts.record(.init(status: 0, body: ""), to: cluster)
        let script = try #require(try paused.changes(given: facts, after: PendingEffects()).first?.script.reveal())
        let watch = try #require(script.firstRange(of: "systemd-run")).lowerBound
        let order = try #require(script.firstRange(of: "PAUSE")).lowerBound
        #expect(watch < order)
    }

    @Test("all databases of a pooler are passed on, and its file is as it was")
    func passing() async throws {
        let file = """
            [databases]
            app = host=127.0.0.1 port=5432 dbname=app pool_size=20
            * = host=127.0.0.1 port=5432

            """
        let folder = try TemporaryDirectory(["pgbouncer.ini": file])
        let path = "\(folder.path)/pgbouncer.ini"
        let pause = try pause()
        let script = pause.end(
            passingTo: .init(address: "10.0.0.2", port: 5433, api: PatroniAPI(address: "", port: 8008)))
        let run = try await ShellRun.of(
            """
            runuser() { case $* in *RELOAD*) grep host= \(path) ;; esac; }
            \(script.reveal().replacing("/etc/pgbouncer/pgbouncer.ini", with: path))
            echo; cat \(path)
            """)
        #expect(
            run.output == "app = host=10.0.0.2 port=5433 dbname=app pool_size=20\n* = host=10.0.0.2 port=5433\n\n"
                + file)
        withExtendedLifetime(folder) {}
    }

    /// With a PgBouncer that does as it is told, and notes it in a file. The clock was set back since the pause began.
    private func run(_ script: (PoolerPause) -> ShellText, isPaused: Bool, pooler: String, runs: Bool = true)
        async throws
        -> String
    {
        let folder = try TemporaryDirectory([:])
        let pause = try pause()
        let text = script(pause).reveal().replacing(PoolerPause.mark, with: "\(folder.path)/mark")
        let run = try await ShellRun.of(
            """
            timeout() { shift; "$@"; }
            systemctl() { \(runs); }
            runuser() {
                case $* in *PAUSE*) set PAUSE ;; *RESUME*) set RESUME ;; esac
                echo $1 >>'\(folder.path)/orders'
                \(pooler)
            }
            \(isPaused ? "touch -d '1 hour ago' '\(folder.path)/mark'" : "")
            ( set -e
            \(text)
            )
            echo "status $?"
            touch '\(folder.path)/orders'; paste -sd ' ' '\(folder.path)/orders'
            [ ! -e '\(folder.path)/mark' ] || echo marked
            """)
        return run.output
    }

    @Test(
        "all databases of a pooler wait at once, and it is asked until it answers",
        arguments: [
            (":", true, "status 0\nPAUSE\nmarked\n"),
            ("echo 'ERROR:  already suspended/paused'; return 1", true, "status 0\nPAUSE\nmarked\n"),
            ("return 124", true, "PgBouncer says: nothing\nstatus 1\nPAUSE PAUSE PAUSE PAUSE\n"),
            (
                "echo 'ERROR:  admin access needed'; return 1", true,
                "PgBouncer says: ERROR:  admin access needed\nstatus 1\nPAUSE\n"
            ),
            ("echo 'connection refused'; return 2", false, "status 0\nPAUSE\nmarked\n"),
        ])
    func begin(pooler: String, runs: Bool, expected: String) async throws {
        #expect(try await run(\.begin, isPaused: false, pooler: pooler, runs: runs) == expected)
    }

    @Test(
        "a pause ends though no database is known; one that somebody else has just ended is no failure; one that lasts is",
        arguments: [
            (true, ":", true, "status 0\nRESUME\n"),
            (true, "echo 'ERROR:  pooler is not paused/suspended'; return 1", true, "status 0\nRESUME\n"),
            (
                true, "echo 'ERROR:  admin access needed'; return 1", true,
                "PgBouncer says: ERROR:  admin access needed\nstatus 1\nRESUME\nmarked\n"
            ),
            (true, "echo 'connection refused'; return 2", false, "status 0\nRESUME\n"),
            (false, ":", true, "status 0\n\n"),
        ])
    func end(isPaused: Bool, pooler: String, runs: Bool, expected: String) async throws {
        #expect(try await run(\.end, isPaused: isPaused, pooler: pooler, runs: runs) == expected)
    }
}

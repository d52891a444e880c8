import Engine
import Secrets

@testable import PostgresCluster
@testable import SystemResources

/// What hosts answer to facts.
extension FuzzedReader {
    static let systemFacts = facts(
        "system-facts",
        [
            answer(
                "regular file|644|root|root|1732254985.123456789|/etc/motd\ndirectory|2755|root|adm|0.000000001|/a\n",
                [FileStatus("/etc/motd"), FileStatus("/a"), FileStatus("/none")]),
            answer("ii |1.2-3|patroni\n", [PackageStatus("patroni"), PackageStatus("etcd")]),
            answer(
                "ActiveState=active\nUnitFileState=enabled\nNeedDaemonReload=no\n"
                    + "ExecMainStartTimestamp=Sun 2026-11-22 05:56:25.123456 UTC\n",
                [UnitStatus("patroni.service")]),
            answer("postgres:x:100:100:,,,:/var/lib/postgresql:/bin/sh\n", [UserEntry("postgres")]),
            answer("adm:x:4:a,b\n", [GroupEntry("adm")]),
            answer("yes\nno\n", [CommandSuccess("true"), CommandSuccess("false")]),
            answer(
                "1: lo inet 127.0.0.1/8 scope host lo\n2: eth0 inet 10.0.0.1/24 brd 10.0.0.255\n", [HostAddresses()]),
            answer("Filename Type Size Used Priority\n/swapfile file 4194300 0 -2\n", [SwapSpaces()]),
        ])

    static let clusterFacts = facts(
        "cluster-facts",
        [
            answer(
                """
                1795353871 [{"archive":[{"database":{"id":1,"repo-key":1},"id":"15-1","max":"000000010000000000000005",\
                "min":"000000010000000000000001"}],"backup":[{"archive":{"start":"000000010000000000000004","stop":\
                "000000010000000000000005"},"database":{"id":1,"repo-key":1},"error":false,"info":{"delta":23267311,\
                "repository":{"delta":2866976,"size":2866976},"size":23267311},"label":"20261122-132203F","lsn":{"start":\
                "0/4000028","stop":"0/5000050"},"prior":null,"reference":null,"timestamp":{"start":1795353723,"stop":\
                1795353726},"type":"full"}],"cipher":"none","db":[{"id":1,"repo-key":1,"system-id":7710985427043285199,\
                "version":"15"}],"name":"demo","status":{"code":0,"lock":{"backup":{"held":false}},"message":"ok"}}]

                """, [PgBackRestInfo("demo", as: "postgres")]),
            answer(
                """
                5 [{"backup_name":"base_000000010000000000000004","time":"2026-11-22T13:22:07Z","wal_file_name":\
                "000000010000000000000004","start_time":"2026-11-22T13:22:03.793015Z","finish_time":\
                "2026-11-22T13:22:06.5385781Z","pg_version":150013,"start_lsn":67108904,"finish_lsn":83886160,\
                "system_identifier":7710985427043285199,"uncompressed_size":23267311,"compressed_size":2866976},\
                {"backup_name":"base_000000010000000000000007_D_000000010000000000000004","wal_file_name":\
                "000000010000000000000007","start_time":"2026-11-22T13:23:27Z","finish_time":"2026-11-22T13:23:31Z",\
                "pg_version":150013,"system_identifier":7710985427043285199}]

                """, [WALGBackups(archive: "demo", program: "/usr/local/bin/wal-g", settings: "{}")]),
            answer("100.5 103.25\n", [ClockReading()]),
            answer("=\n", [ErrandMark("x")]),
            answer("total 4194304\nlimit 1073741824\nfile shared_buffers\n", [MemberMemory()]),
            answer("scope: demo\n", [ConfiguredScope()]),
            answer(
                "LISTEN 0 4096 10.0.0.1:5432 0.0.0.0:* users:((\"postgres\",pid=7,fd=5))\n", [Listeners()]),
            answer("100\n", [KeepalivedPriority()]),
            answer("owner 1 2\n", [BackupIdentity()]),
        ])

    static let clusterTexts = FuzzedReader(
        "cluster-texts",
        samples: [
            "2026-11-22 15:04:05.25+01:00", "16/B374D848", "SCRAM-SHA-256$4096:AAAA$BBBB=:CCCC=",
            "host all all 10.0.0.0/8 ldap ldapbindpasswd=\"secret\"",
        ], pieces: pieces, accepted: 0.01...0.997
    ) { text in
        LogPosition(text) != nil || (try? Moment(text)) != nil || ScramVerifier(text) != nil
            || ClusterConfiguration.AccessRule.masking(text).hasSecrets
    }

    private static let pieces = [
        "\n", "\n\n", "|", " ", "\t", ".", ",", "=", ":", "/", "-", "0", "-1", "99999999999999999999", "1e999", "é",
        "\u{0}", "\u{1E}", "yes", "question\n", "directory", "{", "}", "\"", "[", "]", "null", "true",
    ]

    /// An answer of a host, and its reader.
    private struct Answer {
        let output: String
        let read: @Sendable (String) throws -> Bool
    }

    private static func answer<F: Fact>(_ output: String, _ questions: [F]) -> Answer {
        Answer(output: output) { text in
            guard let answers = try? F.answers(to: questions, from: text) else { return false }
            guard questions.allSatisfy({ answers[$0] != nil }) else {
                throw WrongReading(description: "a question of \(F.self) has no answer")
            }
            return true
        }
    }

    /// All facts read each output, so that libFuzzer needs no more than bytes.
    private static func facts(_ name: String, _ answers: [Answer]) -> FuzzedReader {
        FuzzedReader(name, samples: answers.map(\.output), pieces: pieces, accepted: 0.3...1) { text in
            try answers.map { try $0.read(text) }.contains(true)
        }
    }
}

import SystemResources

/// The faults that the release notes of the daemons report: Patroni from 3.0.3 on, etcd from 3.4.24, PgBouncer from 1.19,
/// HAProxy from 2.6.13 and keepalived from 2.2.8. `docs/upstream-fixes.md` says of each why it has its measure; a test compares
/// them.
///
/// A branch begins with `~`, which comes before its candidates: `3.5.0~`.
enum UpstreamDefects {
    /// The faults that a version of a package has, in the order of the document.
    static func concerning(package: String, version: String) -> [UpstreamDefect] {
        let version = PackageVersion(version)
        return all.filter { $0.package == package && $0.concerns(version) }
    }

    static let all = patroni + etcd + pgBouncer + haproxy + keepalived

    private static let patroni: [UpstreamDefect] = [
        .init(
            "patroni", "#2689, #2693", .lostRows,
            "a leader that was paused takes the lock back from its successor, whose rows are lost",
            in: [("0", "3.0.2")],
            .refused(advice: "install Patroni 3.0.2 of Debian 12, which Drover corrects, or a later one")
        ),
        .init(
            "patroni", "#2689, #2693", .lostRows,
            "a leader that was paused takes the lock back from its successor, whose rows are lost",
            in: [("3.0.2", "3.0.3~")], .prevented),
        .init(
            "patroni", "#2787", .lostRows,
            "a primary that was paused wins the lock when its successor has lost it again",
            in: [("0", "3.1.0~")], .prevented),
        .init(
            "patroni", "#2769", .lostRows, "a switchover does not wait until its candidate has everything",
            in: [("0", "3.1.0~")], .tolerated),
        .init(
            "patroni", "#2820", .lostRows, "synchronous_mode begins only when a replica streams", in: [("0", "3.1.1~")],
            .tolerated),
        .init(
            "patroni", "#2877", .lostRows,
            "after synchronous_standby_names was reset by hand, an asynchronous replica may lead",
            in: [("0", "3.1.2~")], .tolerated),
        .init(
            "patroni", "#2876", .lostRows, "a restart of Patroni in a paused cluster turns synchronous replication off",
            in: [("0", "3.1.2~")], .tolerated),
        .init(
            "patroni", "#3094", .lostRows, "synchronous_standby_names has no effect without synchronous_mode",
            in: [("0", "3.3.2~")], .prevented),
        .init(
            "patroni", "#3112", .lostRows,
            "whatever streams under the name of the leader counts as a synchronous replica",
            in: [("0", "4.0.0~")], .prevented),
        .init(
            "patroni", "#3161", .lostRows, "a replica named 'any' or 'first' never becomes synchronous",
            in: [("0", "4.0.2~")], .prevented),
        .init(
            "patroni", "#3370", .lostRows,
            "an old synchronous_standby_names stays when cascading replicas connect to the leader for a while",
            in: [("0", "4.0.6~")], .tolerated),
        .init(
            "patroni", "#2724", .twoLeaders, "two members of one name lead at the same time", in: [("0", "3.0.4~")],
            .prevented),
        .init(
            "patroni", "#2773", .twoLeaders, "a replica that wants to lead takes a living primary for a replica",
            in: [("3.0.3~", "3.1.0~")], .prevented),
        .init(
            "patroni", "#3318", .twoLeaders, "a member of etcd that was left behind by the others is believed",
            in: [("0", "4.0.6~")], .tolerated),
        .init(
            "patroni", "#3661", .twoLeaders, "the watchdog stops before the clients of a stopping leader are gone",
            in: [("0", "4.0.10~"), ("4.1.0~", "4.1.4~")], .prevented),
        .init(
            "patroni", "#3175", .privileges,
            "passwords that it creates stand in the server's log when pgaudit is loaded",
            in: [("0", "4.0.3~")], .tolerated),
        .init(
            "patroni", "#2741", .crash, "its loop waits for synchronous replicas that cannot connect",
            in: [("0", "3.0.4~")],
            .tolerated),
        .init(
            "patroni", "#3404", .crash, "a leader demotes itself instead of entering failsafe mode",
            in: [("0", "3.0.2"), ("3.0.3~", "4.0.7~")], .tolerated),
        .init(
            "patroni", "#3404", .crash, "a leader demotes itself instead of entering failsafe mode",
            in: [("3.0.2", "3.0.3~")], .prevented),
        .init(
            "patroni", "#3426", .crash, "its view of etcd stands still after a watch was cancelled",
            in: [("0", "4.0.7~")],
            .tolerated),
        .init(
            "patroni", "#3526", .crash, "a thread that finds no memory hangs for ever",
            in: [("0", "4.0.8~"), ("4.1.0~", "4.1.1~")], .tolerated),
    ]

    private static let etcd: [UpstreamDefect] = [
        .init(
            "etcd-server", "#13908", .twoLeaders, "members disagree about their data after a crash",
            in: [("3.5.0~", "3.5.3~")], .refused(advice: "install etcd 3.4 of Debian 12, or 3.5.9 or later")),
        .init(
            "etcd-server", "#14423, #14424", .twoLeaders, "a single member forgets what it has confirmed",
            in: [("0", "3.4.21~"), ("3.5.0~", "3.5.5~")],
            .refused(advice: "install etcd 3.4.23 of Debian 12, or 3.5.9 or later")),
        .init(
            "etcd-server", "#14733", .twoLeaders, "a crash during defragmentation leaves a member with other revisions",
            in: [("3.5.0~", "3.5.6~")], .prevented),
        .init(
            "etcd-server", "#17425, #17465", .twoLeaders,
            "an etcd leader that was paused revokes leases that others have renewed",
            in: [("0", "3.4.31~"), ("3.5.0~", "3.5.13~")], .tolerated),
        .init(
            "etcd-server", "#17864, #17865", .twoLeaders, "revisions go back after a crash during compaction",
            in: [("0", "3.4.32~"), ("3.5.0~", "3.5.14~")], .tolerated),
        .init(
            "etcd-server", "#18799", .twoLeaders, "a transaction may be applied in part", in: [("0", "3.5.17~")],
            .prevented),
        .init(
            "etcd-server", "#20616, #20813", .twoLeaders, "a renewal of a revoked lease is confirmed",
            in: [("0", "3.4.38~"), ("3.5.0~", "3.5.23~")], .tolerated),
        .init(
            "etcd-server", "#20653, #20659", .twoLeaders, "defragmentation while a snapshot arrives damages the data",
            in: [("0", "3.4.38~"), ("3.5.0~", "3.5.23~")], .prevented),
        .init(
            "etcd-server", "#21385, #21423", .twoLeaders, "reads are out of date after a pause of the process",
            in: [("0", "3.4.42~"), ("3.5.0~", "3.5.28~"), ("3.6.0~", "3.6.9~")], .prevented),
        .init(
            "etcd-server", "CVE-2021-28235", .privileges, "the password of a user can be read",
            in: [("0", "3.4.25~"), ("3.5.0~", "3.5.8~")], .prevented),
        .init(
            "etcd-server", "#15814, #15815", .privileges, "users list keys that they may not read",
            in: [("0", "3.4.26~"), ("3.5.0~", "3.5.9~")], .prevented),
        .init(
            "etcd-server", "CVE-2026-33413", .privileges, "some requests are not checked for the rights of the user",
            in: [("0", "3.4.42~"), ("3.5.0~", "3.5.28~"), ("3.6.0~", "3.6.9~")], .prevented),
        .init(
            "etcd-server", "CVE-2026-33343", .privileges,
            "nested transactions are not checked for the rights of the user",
            in: [("0", "3.4.42~"), ("3.5.0~", "3.5.28~"), ("3.6.0~", "3.6.9~")], .prevented),
        .init(
            "etcd-server", "#21682, #21683", .privileges, "users read through writes what they may not read",
            in: [("0", "3.4.44~"), ("3.5.0~", "3.5.30~")], .prevented),
        .init(
            "etcd-server", "GHSA-xg4h-6gfc-h4m8", .privileges, "users watch keys that they may not read",
            in: [("0", "3.5.33~")], .prevented),
        .init(
            "etcd-server", "#17270", .crash, "some messages to the log crash it", in: [("0", "3.4.30~")], .tolerated),
        .init(
            "etcd-server", "#17813, #17814", .crash,
            "messages for a removed member reach its successor at the same address",
            in: [("0", "3.4.32~"), ("3.5.0~", "3.5.14~")], .tolerated),
    ]

    /// Debian 13 has corrected 1.24.1; what other repositories have of it comes after `1.24.1-1.`, as `1.24.1-1.pgdg13+1`.
    private static let pgBouncer: [UpstreamDefect] = [
        .init(
            "pgbouncer", "#764", .privileges, "the owner of a database decides about the password of any user",
            in: [("0", "1.19.0~")], .prevented),
        .init(
            "pgbouncer", "CVE-2025-2291", .privileges, "expired passwords are accepted",
            in: [("0", "1.18.0-1+deb12u1"), ("1.19.0~", "1.24.1~")], .prevented),
        .init(
            "pgbouncer", "CVE-2025-12819", .privileges, "a client runs SQL before its login by its search_path",
            in: [("0", "1.18.0-1+deb12u1"), ("1.19.0~", "1.24.1-1+deb13u1"), ("1.24.1-1.", "1.25.1~")], .prevented),
        .init(
            "pgbouncer", "CVE-2026-6665", .privileges, "a hostile server overflows its stack",
            in: [("0", "1.24.1-1+deb13u2"), ("1.24.1-1.", "1.25.2~")], .prevented),
        .init(
            "pgbouncer", "CVE-2026-6667", .privileges, "users of its statistics end clients",
            in: [("1.24.0~", "1.24.1-1+deb13u2"), ("1.24.1-1.", "1.25.2~")], .prevented),
        .init(
            "pgbouncer", "#815, #846, #849, #927, #928", .crash, "requests to cancel a statement may end it",
            in: [("1.18.0~", "1.21.0~")],
            .told(
                advice:
                    "it is started again within a second, and its clients have to connect anew; PgBouncer 1.21 or later has "
                    + "no such fault")),
        .init(
            "pgbouncer", "#1120", .crash, "a reload may end it when a user is known twice", in: [("0", "1.23.1~")],
            .prevented),
        .init(
            "pgbouncer", "CVE-2026-6664", .crash, "anybody who reaches its port can end it by a malformed login",
            in: [("0", "1.24.1-1+deb13u2"), ("1.24.1-1.", "1.25.2~")],
            .told(
                advice: "let only the networks of clients reach its port, on members and balancers "
                    + "(firewall_enabled_at_boot), or install PgBouncer 1.25.2 or later")),
        .init(
            "pgbouncer", "CVE-2026-6666", .crash, "a hostile server ends it",
            in: [("0", "1.24.1-1+deb13u2"), ("1.24.1-1.", "1.25.2~")], .prevented),
    ]

    private static let haproxy: [UpstreamDefect] = [
        .init(
            "haproxy", "CVE-2023-40225", .privileges, "requests are smuggled past its rules",
            in: [("0", "2.6.12-1+deb12u1"), ("2.7.0~", "2.7.10~"), ("2.8.0~", "2.8.2~")], .prevented),
        .init(
            "haproxy", "CVE-2023-45539", .privileges, "'#' in a path passes its rules",
            in: [("0", "2.6.12-1+deb12u1"), ("2.7.0~", "2.7.10~"), ("2.8.0~", "2.8.2~")], .prevented),
        .init(
            "haproxy", "CVE-2025-32464", .crash, "regsub overflows its memory",
            in: [("0", "2.6.12-1+deb12u2")], .prevented),
        .init(
            "haproxy", "CVE-2025-11230", .crash, "numbers in JSON keep it busy",
            in: [("0", "2.6.12-1+deb12u3")], .prevented),
        .init(
            "haproxy", "CVE-2026-33555", .privileges, "requests are smuggled through HTTP/3",
            in: [("0", "2.6.12-1+deb12u4")], .prevented),
        .init(
            "haproxy", "commit f98a8c317", .crash, "two threads wait for each other when a connection is closed",
            in: [("2.5.0~", "2.6.13~"), ("2.7.0~", "2.8.0~")], .tolerated),
        .init(
            "haproxy", "commit 1ad199172", .crash, "a failed TLS handshake keeps it busy", in: [("0", "3.0.0~")],
            .tolerated),
        .init(
            "haproxy", "commit 76fa71f7a", .crash, "an error on a TLS connection that is being closed crashes it",
            in: [("0", "3.1.0~")], .tolerated),
        .init(
            "haproxy", "commit a889413f5", .crash, "'set maxconn frontend' stops it", in: [("2.4.0~", "3.1.0~")],
            .prevented),
    ]

    private static let keepalived: [UpstreamDefect] = [
        .init(
            "keepalived", "commit 5b6ee8f1", .twoLeaders,
            "a process that was paused holds the address beside its successor",
            in: [("0", "1:2.2.8~")], .tolerated),
        .init(
            "keepalived", "commit 90555872", .privileges, "messages of hosts that are no peers may be accepted",
            in: [("0", "1:2.3.3~")], .prevented),
        .init(
            "keepalived", "commits 7e04261d, e15990e1", .crash, "a check that times out during a reload crashes it",
            in: [("0", "1:2.3.3~")], .tolerated),
        .init(
            "keepalived", "commit ef63de22", .crash, "it crashes when its own address is not there yet",
            in: [("0", "1:2.3.3~")], .tolerated),
    ]
}

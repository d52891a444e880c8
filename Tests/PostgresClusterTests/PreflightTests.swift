import Engine
import Inventory
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("What must be so before anything is touched")
struct PreflightTests {
    private static let rows: [(what: String, change: PreflightSample.Spoiling, found: [String])] = [
        ("all is well", { _ in }, []),
        (
            "another release than the other members",
            { $0.release = OSRelease(distribution: "debian", version: "13", codeName: "trixie") },
            [
                "system: pg1: this is debian 13, and pg2 has debian 12: their C libraries may sort text differently, which "
                    + "breaks indexes; install the same release on all members"
            ]
        ),
        (
            "an old release", { $0.release = OSRelease(distribution: "debian", version: "11", codeName: "bullseye") },
            [
                "system: pg1: this is debian 11, whose etcd and pgBackRest lack what Drover uses and whose support has "
                    + "ended, and Drover supports Debian 12, Debian 13 and Ubuntu 24.04: install one of these; "
                    + "--skip-preflight system tries it with the names of Debian 12"
            ]
        ),
        (
            "another PostgreSQL than the system's",
            {
                $0.variables.append("postgresql_version: 17")
                $0.lacking = ["postgresql-17"]
            },
            [
                "packages: pg1: no repository of the host offers postgresql-17 (Debian 12 has PostgreSQL 15): add one that "
                    + "does, see /etc/apt/sources.list.d"
            ]
        ),
        (
            "no systemd", { $0.fitness.initialProcess = "init" },
            ["system: pg1: the first process is init: the daemons are run by systemd"]
        ),
        (
            "a slow clock", { $0.clock = .init(least: -61, most: -59) },
            [
                "clock: pg1: the clock is about 60.0 s behind that of pg2: let a time service set it (ntp_enabled: true), or "
                    + "set it with `date`"
            ]
        ),
        ("a clock that may be right", { $0.clock = .init(least: 0.5, most: 9) }, []),
        (
            "a port of another program",
            { $0.listeners.append(.init(address: "10.0.0.1", port: 6432, program: "pgbouncer")) },
            [
                "ports: pg1: pgbouncer already listens at port 6432, which PgBouncer wants: stop it, or choose another port "
                    + "with pgbouncer_listen_port"
            ]
        ),
        (
            "a port without a variable", { $0.listeners.append(.init(address: "*", port: 2380, unit: "x.service")) },
            ["ports: pg1: x.service already listens at port 2380, which etcd wants: stop it"]
        ),
        (
            "a port of its own daemons, and one at an address that nobody wants",
            {
                $0.listeners = [
                    .init(address: "10.0.0.1", port: 2379, program: "etcd", unit: "etcd.service"),
                    .init(address: "10.0.0.1", port: 5432, program: "postgres", unit: "patroni.service"),
                    .init(address: "10.9.9.9", port: 8008, program: "other"),
                ]
            }, []
        ),
        (
            "a port of which only root is told whose it is",
            {
                $0.listeners = [.init(address: "10.0.0.1", port: 2379)]
                $0.etcd = .init(active: "active", unitFile: "enabled")
            }, []
        ),
        (
            "a server that runs on the cluster's own data",
            {
                $0.listeners.append(.init(address: "127.0.0.1", port: 5432, program: "postgres"))
                $0.directory = .initialised(systemIdentifier: "1")
            }, []
        ),
        (
            "a unit of another tool",
            { $0.etcd = .init(active: "active", unitFile: "enabled", path: "/etc/systemd/system/etcd.service") },
            [
                "units: pg1: /etc/systemd/system/etcd.service hides the unit of Debian's package: another tool has set up this "
                    + "daemon. To take over its data see 'Take over a running cluster' in the documentation; if it is left "
                    + "over, remove the file"
            ]
        ),
        (
            "no interface", { $0.networks = nil },
            ["interface: pg1: there is no interface eth0: set vip_interface to the one that is to hold 10.0.0.100"]
        ),
        (
            "an address of another network", { $0.networks = ["10.0.0.1/26", "10.1.0.1/16"] },
            [
                "interface: pg1: 10.0.0.100 is in no network of eth0, which has 10.0.0.1/26, 10.1.0.1/16: choose another "
                    + "cluster_vip, or set vip_interface"
            ]
        ),
        (
            "an address of somebody else", { $0.sounding.holders = ["02:00:00:00:00:01"] },
            [
                "address: pg1: 10.0.0.100 belongs to somebody else, whose hardware address is 02:00:00:00:00:01: choose "
                    + "another cluster_vip, or take it from there"
            ]
        ),
        (
            "an address of somebody, who may be a balancer that was not asked",
            {
                $0.sounding.holders = ["02:00:00:00:00:01"]
                $0.isLimited = true
            }, []
        ),
        (
            "an address of one of the balancers",
            {
                $0.sounding.holders = ["02:00:00:00:00:01"]
                $0.addresses.insert("10.0.0.100")
            }, []
        ),
        (
            "routers",
            {
                $0.sounding.routers = [
                    .init(id: 100, source: "10.0.0.77"), .init(id: 7, source: "10.0.0.78"),
                    .init(id: 100, source: "10.0.0.2"),
                ]
            },
            [
                "router-id: pg1: 10.0.0.77 already uses the virtual router id 100 on this network: choose another one with "
                    + "keepalived_virtual_router_id"
            ]
        ),
        (
            "hosts that cannot be reached",
            {
                $0.sounding.unreachable = [
                    "10.0.0.2:8008": "no answer", "10.0.0.2:2379": "no answer", "10.9.0.3:5432": "No route to host",
                ]
            },
            [
                "network: pg1: 10.0.0.2 (no answer) cannot be reached at port 2379, 8008: let that through the packet filters "
                    + "and networks between the hosts, or correct bind_address",
                "network: pg1: 10.9.0.3 (No route to host) cannot be reached at port 5432: let that through the packet "
                    + "filters and networks between the hosts, or correct bind_address",
            ]
        ),
        (
            "data of an etcd", { $0.hasEtcdData = true },
            [
                "leftovers: pg1: /var/lib/etcd/etcd-demo holds the data of an etcd that does not run and is not enabled: what "
                    + "it knows would come to life again; move it away, or start etcd there, so that what it knows can be seen"
            ]
        ),
        (
            "data of an etcd that was stopped, or has failed",
            {
                $0.hasEtcdData = true
                $0.etcd = .init(active: "failed", unitFile: "enabled")
            }, []
        ),
        (
            "a small disk", { $0.fitness.free = 1_073_741_823 },
            [
                "disk: pg1: 1023 MB are free for /var/lib/postgresql/15/main, and its log alone may grow to max_wal_size, 1024 "
                    + "MB: give it a larger disk"
            ]
        ),
        (
            "a small disk that has the database already",
            {
                $0.fitness.free = 1
                $0.directory = .initialised(systemIdentifier: "1")
            }, []
        ),
        (
            "little memory",
            { $0.variables.append("postgresql_parameters: [{ option: shared_buffers, value: 6GB }]") },
            [
                "memory: pg1: shared_buffers are 6144 MB, and the host has 7629 MB of memory: a quarter of that is customary, "
                    + "three quarters are the most"
            ]
        ),
        (
            "no locale", { $0.variables.append("postgresql_locale: de_DE.UTF-8") },
            [
                "locale: pg1: there is no locale de_DE.UTF-8: generate it (locale_gen), or choose another postgresql_locale"
            ]
        ),
        (
            "no package",
            {
                $0.lacking = ["patroni", "postgresql-15"]
                $0.sounding.complaint = "Unable to fetch x"
            },
            [
                "packages: pg1: no repository of the host offers postgresql-15, patroni (apt: Unable to fetch x): add one that "
                    + "does, see /etc/apt/sources.list.d"
            ]
        ),
        (
            "versions with faults that lose rows or make two leaders",
            {
                $0.offered["patroni"] = "2.1.7-1"
                $0.offered["etcd-server"] = "3.5.3-1"
            },
            [
                "defects: pg1: etcd-server 3.5.3-1: a single member forgets what it has confirmed (#14423, #14424): install "
                    + "etcd 3.4.23 of Debian 12, or 3.5.9 or later",
                "defects: pg1: patroni 2.1.7-1: a leader that was paused takes the lock back from its successor, whose rows "
                    + "are lost (#2689, #2693): install Patroni 3.0.2 of Debian 12, which Drover corrects, or a later one",
            ]
        ),
        (
            "large pools",
            {
                $0.variables += [
                    "postgresql_databases: [{ db: a, owner: postgres }, { db: b, owner: postgres }]",
                    "pgbouncer_default_pool_size: 49",
                ]
            },
            [
                "pool: the pools of 2 databases may open 98 connections, pgbouncer_default_pool_size for each, and PostgreSQL "
                    + "lets in 97: set max_connections to 101 or more in postgresql_parameters, or the size to 48 or less"
            ]
        ),
        (
            "pools that nobody has sized",
            { $0.variables.append("postgresql_databases: [{ db: a, owner: postgres }, { db: b, owner: postgres }]") },
            []
        ),
        (
            "no watchdog", { $0.hasWatchdog = false },
            [
                "fencing: pg1: patroni_watchdog_mode is required, and there is neither /dev/watchdog nor the module softdog: no "
                    + "member could lead; give the host a watchdog, or set patroni_watchdog_mode: automatic"
            ]
        ),
        (
            "few files",
            {
                $0.fitness.openFiles = 20_000
                $0.variables.append("haproxy_maxconn_global: 20000")
            },
            [
                "open-files: pg1: a process may open 20000 files, and HAProxy needs 40100: set haproxy_maxconn_global to 9950 "
                    + "or less"
            ]
        ),
        ("few files, and as many connections as they allow", { $0.fitness.openFiles = 10_200 }, []),
        (
            "fewer files", { $0.fitness.openFiles = 10_199 },
            [
                "open-files: pg1: a process may open 10199 files, and PgBouncer needs 10200: set pgbouncer_max_client_conn to "
                    + "9999 or less"
            ]
        ),
    ]

    @Test("each thing that is wrong is told with its host and its remedy", arguments: rows.indices)
    func findings(index: Int) throws {
        let row = Self.rows[index]
        #expect(Preflight.lines(of: try PreflightSample.preflight(row.change).findings) == row.found, "\(row.what)")
    }

    @Test("every check is provoked by one of these")
    func completeness() {
        let provoked = Set(Self.rows.flatMap(\.found).map { String($0.prefix { $0 != ":" }) })
        // What is asked of an existing server is provoked in AdoptionTests, what of an existing etcd in ExistingEtcdTests.
        #expect(provoked.union(["existing", "etcd"]) == Set(PreflightCheck.allCases.map(\.rawValue)))
    }
}

import Engine

/// The server that recovers, beside Patroni: nobody reaches it but over a socket in a folder of its own, and it archives
/// nothing.
struct RecoveryServer: Sendable {
    let postgres: ClusterConfiguration.Postgres
    let superuser: String
    let stanza: String
    /// Where its data is.
    var directory: String
    /// The unit of systemd that it runs as, which is made for it.
    var unit = "drover-recovery"
    /// Whether it notes what is to be archived.
    var notesLog = true
    /// Further options of the server, each `name=value`.
    var settings: [String] = []
    /// The owner of the data.
    var user = "postgres"
    /// What keeps it away from the cluster's directories; nil where it works in those itself.
    var seclusion: Seclusion?

    /// The folder of its socket; that of the unit unless set.
    var socket: String {
        get { folder ?? "/run/\(unit)" }
        set { folder = newValue }
    }

    private var folder: String?

    init(postgres: ClusterConfiguration.Postgres, superuser: String, stanza: String, directory: String) {
        self.postgres = postgres
        self.superuser = superuser
        self.stanza = stanza
        self.directory = directory
    }

    /// How a person asks it.
    var psql: ShellText {
        "\(quoting: postgres.binaryDirectory)/psql -h \(quoting: socket) -p \(postgres.port) -U \(quoting: superuser)"
    }

    /// Shell text that defines `ask SQL`, `control WORDS`, `serves`, `serve TARGET…` and `end_serving`, where a target is in
    /// options of the server.
    ///
    /// What must not be less than it was when the log was written is taken from the control file: it learns of it from the
    /// log itself. The archive stays on, so that the server notes what is to be archived, but nothing is: the cluster does it
    /// later. A server that nobody lets in yet may still replay.
    var definition: ShellText {
        let data = ShellText.quoting(directory)
        let fixed = [
            "listen_addresses=", "unix_socket_directories=\(socket)", "port=\(postgres.port)", "cluster_name=recovery",
            "archive_mode=\(notesLog ? "on" : "off")", "archive_command=", "restore_command=\(fetching.reveal())",
            "hot_standby=on",
            "synchronous_standby_names=", "primary_conninfo=", "primary_slot_name=", "recovery_end_command=",
            "archive_cleanup_command=", "recovery_min_apply_delay=0", "ssl=off", "logging_collector=off",
            "log_destination=stderr", "max_standby_archive_delay=-1",
        ]
        let options = (fixed + settings).map { "-c \(quoting: $0)" as ShellText }.joined(separator: " ")
        return """
            unit=\(quoting: unit).service
            data=\(data)
            cd /
            \(seclusion?.definition ?? "")
            ask() { runuser -u postgres -- \(psql) -XAtq -v ON_ERROR_STOP=1 -d postgres -c "$1"; }
            control() { runuser -u postgres -- \(quoting: postgres.binaryDirectory)/pg_controldata -D "$data" | sed -n "s/^$1: *//p"; }
            needs() {
                for name in max_connections max_worker_processes max_wal_senders max_prepared_xacts max_locks_per_xact; do
                    value=$(control "$name setting")
                    case $name in
                    max_prepared_xacts) name=max_prepared_transactions ;;
                    max_locks_per_xact) name=max_locks_per_transaction ;;
                    esac
                    echo "-c $name=$value"
                done
                echo "-c wal_level=$(control 'wal_level setting') -c track_commit_timestamp=$(control 'track_commit_timestamp setting')"
            }
            serves() { systemctl is-active --quiet "$unit"; }
            end_serving() {
                ! systemctl is-active --quiet "$unit" || systemctl stop "$unit"
                systemctl reset-failed "$unit" 2>/dev/null || :
            }
            serve() {
                end_serving
                needed=$(needs)
                mounts=\(seclusion == nil ? "" : "$(\(Seclusion.mounts))")
                systemd-run --quiet --unit="$unit" --description='PostgreSQL, recovering for Drover' --uid=postgres \\
                    --property=KillMode=mixed --property=KillSignal=SIGINT --property=TimeoutStopSec=infinity \\
                    --property=RuntimeDirectory=\(quoting: unit) --property=RuntimeDirectoryMode=0700 --property=LimitNOFILE=65536 \\
                    ${mounts:+"--property=BindPaths=$mounts"} \\
                    \(quoting: postgres.binaryDirectory)/postgres -D "$data" \(options) $needed "$@"
            }
            quote_log() {
                echo "the last lines of the journal of $unit:"
                journalctl --unit="$unit" --since="@$since" --no-pager --output=cat | tail -n 15
            }
            since=$(date +%s)
            """
    }

    private var fetching: ShellText {
        #"pgbackrest --stanza=\#(quoting: stanza) --pg1-path=\#(quoting: directory) archive-get %f "%p""#
    }

    /// Shell text that defines `signal TARGET…`: whether the server ends its recovery at a target or stays a standby.
    func signals(for target: RecoveryTarget) -> ShellText {
        let (wanted, other): (ShellText, ShellText) =
            target.point == .latest ? ("standby.signal", "recovery.signal") : ("recovery.signal", "standby.signal")
        return "runuser -u postgres -- rm -f \"$data/\(other)\"; runuser -u postgres -- touch \"$data/\(wanted)\""
    }

    /// A target as options of the server, on the timeline of the variable `timeline`.
    func options(for target: RecoveryTarget) -> ShellText {
        let parameters = target.parameters.map { "-c \(quoting: "\($0.name)=\($0.value)")" as ShellText }
        return "-c recovery_target_timeline=\"$timeline\" \(parameters.joined(separator: " "))"
    }
}

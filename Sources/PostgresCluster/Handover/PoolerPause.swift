import Engine
import Secrets
import SystemResources

/// A pause of the pooler: its clients wait, whoever they are and whatever database they want.
///
/// PgBouncer 1.18 does not tell that it is paused. It does tell which databases are, one by one, but not of a database that
/// nobody has used for a third of a second and that its file does not name: such a pause would be found by nobody, and never
/// end. So all are paused at once, and a file beside it says so.
struct PoolerPause {
    let server: PostgresCatalog
    let port: Int

    /// PgBouncer forgets a pause when it starts; its unit takes the file away then. Times of files would not tell which came
    /// first when the clock was set back.
    static let mark = "/run/drover-pooler-is-paused"

    /// Whether there is one.
    var question: CommandSuccess { CommandSuccess(isOn) }

    /// Shell text that succeeds while there is one.
    var isOn: ShellText { "[ -e \(quoting: PoolerPause.mark) ]" }

    /// Shell text that begins it. It lasts though who asked for it does not wait until the last transaction has ended, which
    /// `timeout` sees to; who asks again is told at once that it has begun.
    var begin: ShellText {
        """
        : >\(quoting: PoolerPause.mark)
        for patience in 0.3 1 3 9; do
            status=0
            said=$(timeout $patience \(server.poolerScript(port: port, ["PAUSE"])) 2>&1) || status=$?
            [ $status = 124 ] || break
        done
        \(unless("0*|*already*", else: "rm -f \(quoting: PoolerPause.mark)"))
        """
    }

    /// Shell text that ends it. PgBouncer takes it for an error when somebody else has just ended it, as the host by itself and
    /// a run may do at the same moment.
    var end: ShellText {
        """
        if \(isOn); then
            status=0
            said=$(\(server.poolerScript(port: port, ["RESUME"])) 2>&1) || status=$?
            \(unless("0*|*'not paused'*", else: ":"))
            rm -f \(quoting: PoolerPause.mark)
        fi
        """
    }

    /// Shell text that fails unless the status and what PgBouncer said are as wanted. One that does not run is neither paused
    /// nor in the way.
    private func unless(_ pattern: ShellText, else undone: ShellText) -> ShellText {
        """
        case $status$said in
            \(pattern)) ;;
            *) ! systemctl is-active --quiet pgbouncer.service || {
                \(undone); echo "PgBouncer says: ${said:-nothing}"; exit 1
            } ;;
        esac
        """
    }

    /// Shell text that ends it with all clients at another server. PgBouncer reads to where, and the file is as it was again at
    /// once: who starts PgBouncer anew has it serve its own server. At every moment there is one whole file or the other.
    func end(passingTo successor: PausedPooler.Successor) -> ShellText {
        let file: ShellText = "/etc/pgbouncer/pgbouncer.ini"
        return """
            cp -p \(file) \(file).kept
            sync \(file).kept
            sed -i 's#= host=[^ ]* port=[0-9]*#= host=\(inSingleQuotes: successor.address) port=\(successor.port)#' \(file)
            \(reloading)
            mv -fT \(file).kept \(file)
            \(end)
            """
    }

    /// Shell text that has PgBouncer read its files again.
    var reloading: ShellText { server.poolerScript(port: port, ["RELOAD"]) }

    /// Shell text that succeeds while clients are there.
    var hasClients: ShellText {
        "{ \(server.poolerScript(port: port, ["SHOW CLIENTS"])) | awk -F '|' '$3 != \"pgbouncer\"' | grep -q .; }"
    }
}

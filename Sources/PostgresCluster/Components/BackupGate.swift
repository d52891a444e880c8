/// The script that is all a peer's SSH key may run: pgBackRest as the far end of a command that the peer runs.
///
/// It refuses every command of pgBackRest that works by itself (`expire`, `stanza-delete`, `repo-rm`) and every option that
/// names a file, a directory or a store. The protocol behind it still reads, writes and deletes files as its user does: a
/// program that speaks it without pgBackRest can destroy backups. Only a store that keeps deleted objects prevents that.
struct BackupGate {
    /// What a peer may reach.
    enum Side: String {
        /// The repository, for a member.
        case repository = "repo"
        /// PostgreSQL, for the host of the repository.
        case server = "pg"
    }

    static let path = "/usr/local/sbin/pgbackrest-peer"

    /// The option of `authorized_keys` that has a key run the script and nothing else.
    ///
    /// - Parameter address: from where the key may be used.
    static func restriction(to side: Side, from address: String) -> String {
        let origin = Node.isAddress(address) ? #"from="\#(address)","# : ""
        return #"restrict,\#(origin)command="\#(path) \#(side.rawValue)""#
    }

    /// The options are those that pgBackRest 2.40 to 2.55 passes to the far end, without those that lead elsewhere.
    static let script = #"""
        #!/bin/sh
        # Written by Drover; changes made here are overwritten by its next run.
        # Runs pgBackRest for a peer, as the far end of its remote protocol and in no other way.
        refuse() {
            echo "refused: this key is only for the remote protocol of pgBackRest: $1" >&2
            exit 1
        }
        set -f
        side=$1
        set -- ${SSH_ORIGINAL_COMMAND-}
        case ${1-} in
        pgbackrest | /usr/bin/pgbackrest) shift ;;
        *) refuse 'it runs nothing else' ;;
        esac
        role= type=
        for word; do
            [ -z "$role" ] || refuse 'nothing may follow the command'
            case $word in
            --remote-type=*) type=${word#*=} ;;
            --exec-id=* | --process=* | --stanza=* | --repo=[0-9]*) ;;
            --beta | --no-beta | --archive-async | --no-archive-async | --pg-version-force=*) ;;
            --pg[0-9]*-path=* | --pg[0-9]*-port=* | --pg[0-9]*-database=* | --pg[0-9]*-socket-path=* | --pg[0-9]*-user=*) ;;
            --buffer-size=* | --db-timeout=* | --io-timeout=* | --protocol-timeout=*) ;;
            --neutral-umask | --no-neutral-umask | --sck-block | --no-sck-block) ;;
            --sck-keep-alive | --no-sck-keep-alive | --tcp-keep-alive-*=*) ;;
            --compress-level-network=* | --log-level-console=* | --log-level-file=* | --log-level-stderr=*) ;;
            --log-subprocess | --no-log-subprocess | --log-timestamp | --no-log-timestamp) ;;
            -*) refuse "the option ${word%%=*}" ;;
            *) role=$word ;;
            esac
        done
        [ "$type" = "$side" ] || refuse "--remote-type must be $side"
        case $side,$role in
        repo,archive-get:remote | repo,archive-push:remote | repo,check:remote | repo,info:remote) ;;
        repo,repo-get:remote | repo,repo-ls:remote | repo,restore:remote | repo,verify:remote) ;;
        pg,backup:remote | pg,check:remote) ;;
        pg,stanza-create:remote | pg,stanza-delete:remote | pg,stanza-upgrade:remote) ;;
        *) refuse "the command ${role:-}" ;;
        esac
        exec /usr/bin/pgbackrest "$@"

        """#
}

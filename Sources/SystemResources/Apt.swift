import Engine

/// Shell text that all resources need which call apt.
enum Apt {
    /// A function that runs a command again as long as another process holds a lock that it wants, for up to five minutes;
    /// what the command says in the end names that process. Only the installation itself knows how to wait.
    static let patiently: ShellText = #"""
        patiently() {
            deadline=$(( $(date +%s) + 300 ))
            until said=$("$@" 2>&1); do
                case $said in
                *'get lock '* | *'locked by another'*) [ "$(date +%s)" -lt $deadline ] || { printf '%s\n' "$said"; return 1; } ;;
                *) printf '%s\n' "$said"; return 1 ;;
                esac
                sleep 1
            done
            printf '%s\n' "$said"
        }
        """#
}

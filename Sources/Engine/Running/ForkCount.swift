/// Counts the processes that come into being on a host while a script runs, without starting one.
///
/// The last word of /proc/loadavg is the number of the newest process (proc(5)); numbers are given in order. When they
/// begin anew in between, the count is taken for nought.
enum ForkCount {
    static let begin: ShellText = "read -r _ _ _ _ forks </proc/loadavg"
    /// Prints the count.
    static let end: ShellText = """
        read -r _ _ _ _ now </proc/loadavg; [ "$now" -ge "$forks" ] && echo $((now - forks)) || echo 0
        """
}

import Drover

/// Shell text by which a host undoes something by itself: what a run has begun is undone though the run has died.
enum Watch {
    /// - Parameters:
    ///   - unit: the name of the service that watches; it replaces an earlier one of that name.
    ///   - goes: the shell text that succeeds as long as nothing is to be undone yet.
    ///   - limit: when it is undone anyway, in seconds.
    ///   - ending: the shell text that undoes it.
    static func begin(_ unit: String, while goes: String = ":", atMost limit: Int, then ending: String) -> String {
        let script = """
            end=$(( $(date +%s) + \(limit) ))
            while [ "$(date +%s)" -lt "$end" ] && { \(goes)
            }; do sleep 1; done
            \(ending)
            """
        return """
            \(end(unit))
            systemd-run --quiet --collect --unit=\(unit) /bin/sh -c \(Shell.quote(script))
            """
    }

    /// Ends the watching, and undoes nothing.
    static func end(_ unit: String) -> String { "systemctl stop \(unit).service 2>/dev/null || :" }
}

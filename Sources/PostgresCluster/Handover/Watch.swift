import Engine

/// Shell text by which a host goes on alone with what a run has begun, or undoes it, though the run has died.
enum Watch {
    /// - Parameters:
    ///   - unit: the name of the service that does it; it replaces an earlier one of that name.
    ///   - script: what it does.
    static func begin(_ unit: String, _ script: ShellText) -> ShellText {
        """
        \(end(unit))
        systemd-run --quiet --collect --unit=\(quoting: unit) /bin/sh -c \(quoting: script)
        """
    }

    /// Ends the service wherever it is.
    static func end(_ unit: String) -> ShellText { "systemctl stop \(quoting: unit).service 2>/dev/null || :" }

    /// Waits for a sign, and then does one of two things.
    ///
    /// - Parameters:
    ///   - sign: the shell text that succeeds when it has come to pass; nil when only time can.
    ///   - seen: what is done then.
    ///   - missed: what is done when it has not come to pass in time.
    static func script(for sign: ShellText?, then seen: ShellText, after limit: Int, otherwise missed: ShellText)
        -> ShellText
    {
        """
        until=$(( $(date +%s) + \(limit) ))
        while [ "$(date +%s)" -lt "$until" ]; do
            if \(sign ?? "false"); then
                \(seen)
                exit 0
            fi
            sleep 0.1
        done
        \(missed)
        """
    }

    /// Waits as long as a shell text succeeds, looking once a second.
    static func linger(while goes: ShellText, atMost limit: Int) -> ShellText {
        """
        until=$(( $(date +%s) + \(limit) ))
        while [ "$(date +%s)" -lt "$until" ] && { \(goes)
        }; do sleep 1; done
        """
    }

    /// Shell text that succeeds when the PostgreSQL of a member accepts writes.
    ///
    /// - Parameter api: its REST API. Its `/primary` answers from the moment on in which the member may
    ///   lead, which is before PostgreSQL is promoted.
    static func leads(_ api: PatroniAPI) -> ShellText {
        "\(api.get("/patroni", "--max-time 1")) | grep -Eq '\"role\": \"(master|primary)\"'"
    }
}

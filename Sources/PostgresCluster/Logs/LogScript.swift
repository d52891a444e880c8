import Engine

/// What a host runs to print its messages, one a line: the journal's as JSON, those of files with `file ` before them.
struct LogScript {
    let units: [String]
    /// Where PostgreSQL's own files are; nil without any.
    var directory: String?
    /// Seconds since 1970.
    let since: Int
    /// Seconds since 1970; nil for everything until now.
    var until: Int?
    let follows: Bool

    /// What stands before a line of a file.
    static let fileMark = "file "
    /// What stands before the offset of the host's time zone.
    static let zoneMark = "zone "
    /// The line after everything that there was before.
    static let end = "end of the past"

    var text: ShellText {
        let fields = "MESSAGE,PRIORITY,_SYSTEMD_UNIT,UNIT,_TRANSPORT,SYSLOG_IDENTIFIER"
        let journal: ShellText =
            "journalctl --quiet --no-pager --output=json --output-fields=\(quoting: fields) \(words: units.map { "--unit=\($0)" })"
        let end: ShellText = until.map { " --until=@\(trusted: "\($0)", because: "it is a number")" } ?? ""
        // The cursor joins the past and what follows, without a message lost or told twice.
        var text: ShellText = """
            printf '\(inSingleQuotes: Self.zoneMark)%s\\n' "$(date +%z)"
            exec 3>&1
            cursor=$(\(journal) --since=@\(trusted: "\(since)", because: "it is a number")\(end) --show-cursor | awk '
                /^-- cursor: / { print substr($0, 12); next }
                { print | "cat >&3" }')

            """
        if let files { text += files }
        guard follows else { return text }
        text += "echo '\(inSingleQuotes: Self.end)'\n"
        if let followedFile { text += followedFile }
        return text + """
            if [ -n "$cursor" ]
            then exec \(journal) --follow --no-tail --after-cursor="$cursor"
            else exec \(journal) --follow --no-tail --since=@\(trusted: "\(since)", because: "it is a number")
            fi
            """
    }

    private var files: ShellText? {
        directory.map { directory in
            """
            find \(quoting: directory) -maxdepth 1 -type f -name '*.log' -newermt @\(trusted: "\(since)", because: "it is a number") \\
                -exec awk '{ print "\(inSingleQuotes: Self.fileMark)" $0 }' {} +

            """
        }
    }

    /// The file that is written at this moment.
    private var followedFile: ShellText? {
        directory.map { directory in
            """
            { file=$(ls -t \(quoting: directory)/*.log | head -n 1)
              tail --lines=0 --follow=name --retry -- "$file" | while IFS= read -r line
              do printf '\(inSingleQuotes: Self.fileMark)%s\\n' "$line"; done; } &

            """
        }
    }
}

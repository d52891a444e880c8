/// Says in words why a shell does not serve us.
enum BootFailure {
    /// The error for a boot that ended with a status other than 0.
    static func error(for result: ShellResult) -> SSHError {
        if result.status == BootText.lockedStatus {
            let lines = String(decoding: result.standardOutput, as: UTF8.self).split(whereSeparator: \.isNewline)
            let holder = lines.first ?? "unknown"
            if lines.last ?? "" == BootText.orphaned {
                return SSHError(
                    .lockedByStep, "another run has gone, and its last step is still running on the host: \(holder)",
                    remedy: "wait for its end")
            }
            return SSHError(
                .locked, "another run is at work on the host: \(holder)", remedy: "wait for its end, or end it there")
        }
        let words = lastLine(result.standardError) ?? "exit status \(result.status)"
        return SSHError(
            .protocolFailure, "the host cannot be locked: \(words)", remedy: "log in as a user who may write there")
    }

    /// The error for a shell that has closed its outputs.
    static func ended(after result: ShellResult?) -> SSHError {
        let words = result.flatMap { lastLine($0.standardError) }
        return SSHError(.connectionLost, "the shell on the host has ended" + (words.map { ": \($0)" } ?? ""))
    }

    private static func lastLine(_ bytes: [UInt8]) -> String? {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).last.map(String.init)
    }
}

extension String {
    /// The text as one word of the POSIX shell, which means exactly this text whatever it holds (except NUL).
    var shellQuoted: String {
        var quoted = "'"
        quoted.reserveCapacity(utf8.count + 16)
        // On bytes, because a quote followed by a combining mark is not the Character "'".
        for part in utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false) {
            quoted += quoted.utf8.count == 1 ? "" : "'\\''"
            quoted += String(decoding: part, as: UTF8.self)
        }
        return quoted + "'"
    }
}

extension String {
    /// The text as one word of the POSIX shell, which means exactly this text whatever it holds (except NUL).
    var shellQuoted: String {
        // On bytes, because a quote followed by a combining mark is not the Character "'".
        let parts = utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: #"'\''"#) + "'"
    }
}

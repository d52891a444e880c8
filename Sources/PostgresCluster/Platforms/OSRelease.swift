/// The identity of an operating system, from os-release(5).
struct OSRelease: Hashable, Sendable {
    /// `ID`, such as `debian`.
    var distribution = ""
    /// `VERSION_ID`, such as `12`; empty for a release in preparation.
    var version = ""
    /// `VERSION_CODENAME`, such as `bookworm`.
    var codeName = ""

    /// `debian 12`, or `debian forky` for a release in preparation.
    var words: String {
        [distribution, version.isEmpty ? codeName : version].filter { !$0.isEmpty }.joined(separator: " ")
    }
}

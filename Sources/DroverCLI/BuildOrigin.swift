/// Where a released program comes from.
///
/// In a work tree nothing is known, so that a commit changes no source and compiles nothing anew.
/// `packaging/package.sh` fills in the literals of the exported sources.
enum BuildOrigin {
    /// The commit of the sources.
    static let commit: String? = nil
    /// The compiler, for example `Swift version 6.3.1 (swift-6.3.1-RELEASE)`.
    static let compiler: String? = nil
}

import Diagnostics

/// A Debian package as it is to be: one of those of ``Packages``.
public struct Package: Hashable, Sendable, ExpressibleByStringLiteral {
    /// What is wanted of it.
    enum Wish: Hashable, Sendable {
        /// Nil for any version.
        case installed(version: String?)
        case absent
        /// Its configuration too.
        case purged
    }

    let name: String
    let wish: Wish
    /// Nil when it does not matter.
    let held: Bool?

    private init(name: String, wish: Wish, held: Bool?) {
        self.name = name
        self.wish = wish
        self.held = held
    }

    /// A package to be installed.
    ///
    /// - Parameters:
    ///   - version: the exact version, `16.4-1.pgdg120+1`, or what it begins with, and a star: `16.4-*`. Another installed
    ///     version is replaced by it, be it older or newer. Nil for any: then it is never upgraded.
    ///   - held: whether upgrades by others leave it alone (`apt-mark hold`); nil when it does not matter.
    public init(_ name: String, version: String? = nil, held: Bool? = nil) {
        self.init(name: name, wish: .installed(version: version), held: held)
    }

    public init(stringLiteral name: String) {
        self.init(name)
    }

    /// A package that is not to be installed.
    ///
    /// - Parameter purged: whether its configuration is to go too.
    public static func absent(_ name: String, purged: Bool = false) -> Package {
        Package(name: name, wish: purged ? .purged : .absent, held: nil)
    }

    /// Whether an installed version is one that is wanted.
    func accepts(_ installed: String) -> Bool {
        guard case .installed(let version?) = wish else { return true }
        return version.hasSuffix("*") ? installed.hasPrefix(version.dropLast()) : installed == version
    }

    /// What apt calls it: `haproxy`, `postgresql-16=16.4-*`, `nano-` for one that is to go.
    var word: String {
        switch wish {
        case .installed(let version?): "\(name)=\(version)"
        case .installed(nil): name
        case .absent, .purged: "\(name)-"
        }
    }

    /// - Throws: `Diagnostic` for a name or a version that Debian's rules do not allow.
    func check() throws {
        guard name.wholeMatch(of: /[a-z0-9][a-z0-9+.-]+/) != nil else {
            throw Diagnostic("'\(name)' is no name of a package", remedy: "use lower-case letters, digits, + - and .")
        }
        guard case .installed(let version?) = wish else { return }
        guard version.wholeMatch(of: /[0-9][A-Za-z0-9.+:~-]*\*?/) != nil else {
            throw Diagnostic(
                "package \(name): '\(version)' is no version",
                remedy: "write a whole one as 'apt-cache policy \(name)' shows it, or its begin and a star: 16.4-*")
        }
    }
}

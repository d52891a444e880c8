import Diagnostics

/// The name of a package, of its program and of its folder.
struct PackageName {
    let name: String

    /// What Swift code writes for it.
    var module: String { name.replacing("-", with: "_") }

    /// - Parameter checkout: the name of the folder of Drover itself, from which it must differ.
    /// - Throws: a `Diagnostic` when a package cannot be named so.
    init(_ name: String, checkout: String) throws(Diagnostic) {
        guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]*/) != nil else {
            throw Diagnostic(
                "'\(name)' cannot name a Swift package", remedy: "use letters, digits, '-' and '_', and a letter first")
        }
        guard !PackageName.keywords.contains(name) else {
            throw Diagnostic("'\(name)' cannot name a Swift package: it is a word of the language")
        }
        guard ![checkout.lowercased(), "starter"].contains(name.lowercased()),
            !PackageName.modules.contains(name.lowercased())
        else {
            throw Diagnostic("'\(name)' cannot name the package: something that it builds with has this name")
        }
        self.name = name
    }

    private static let keywords = Set(
        """
        as break case catch class continue default defer deinit do else enum extension fallthrough false fileprivate for
        func guard if import in init inout internal is let nil operator private protocol public repeat rethrows return self
        static struct subscript super switch throw throws true try typealias var where while
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// The modules that are linked into the program, in lower case.
    private static let modules: Set = [
        "argumentparser", "crypto", "diagnostics", "drover", "drovercli", "drovertesting", "engine", "foundation",
        "foundationessentials", "glibc",
        "inventory", "lab", "main", "niocore", "nioposix", "postgrescluster", "secrets", "ssh", "subprocess", "swift",
        "synchronization", "systempackage", "systemresources", "templates", "testing", "yaml",
    ]
}

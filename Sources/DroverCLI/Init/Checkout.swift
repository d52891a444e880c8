import Diagnostics
import Engine
import FoundationEssentials

/// A checkout of Drover, with which other packages build.
struct Checkout {
    let path: String

    /// - Parameter path: where a person says that it is; nil for the one that this program belongs to.
    /// - Throws: a `Diagnostic` when there is none.
    init(_ path: String?) throws(Diagnostic) {
        guard let found = path.map({ Place($0).path }) ?? Installation.folder, Checkout.isOne(found) else {
            throw Diagnostic(
                path.map { "'\($0)' is no checkout of Drover" }
                    ?? "this program stands in no checkout of Drover, with which the package could build",
                remedy: "write --drover PATH with the folder that has Drover's Package.swift")
        }
        self.path = found
    }

    /// The name of its folder, by which a package that depends on it knows it.
    var name: String { Place(path).name }

    private static func isOne(_ path: String) -> Bool {
        ["Package.swift", "Sources/Drover", "Sources/DroverCLI"].allSatisfy {
            FileManager.default.fileExists(atPath: "\(path)/\($0)")
        }
    }
}

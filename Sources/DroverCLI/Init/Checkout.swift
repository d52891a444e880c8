import Diagnostics
import Engine
import FoundationEssentials

/// The sources of Drover, with which other packages build.
struct Checkout {
    let path: String

    /// - Parameter path: where a person says that they are; nil for those that belong to this program: the checkout in which
    ///   it was built, or what was installed with it.
    /// - Throws: a `Diagnostic` when there are none.
    init(_ path: String?) throws(Diagnostic) {
        let candidates = path.map { [Place($0).path] } ?? Installation.folder.map { [$0, "\($0)/package"] } ?? []
        guard let found = candidates.first(where: Checkout.isOne) else {
            throw Diagnostic(
                path.map { "'\($0)' has no sources of Drover" }
                    ?? "this program was installed without the sources of Drover, with which the package could build",
                remedy: "write --drover PATH with the folder that has Drover's Package.swift")
        }
        self.path = found
    }

    /// The name of its folder, by which a package that depends on it knows it.
    var name: String { Place(path).name }

    private static func isOne(_ path: String) -> Bool {
        ["Package.swift", "Sources/Engine", "Sources/DroverCLI"].allSatisfy {
            FileManager.default.fileExists(atPath: "\(path)/\($0)")
        }
    }
}

import Diagnostics
import FoundationEssentials

/// The link `drover` in a package, which leads to the sources of Drover.
///
/// The place of the sources is another on each machine. So it stands in no file of the package but in this link, which is not
/// under version control: who clones the package runs `drover init` there, and gets the link.
struct SourceLink {
    static let name = "drover"

    /// - Throws: a `Diagnostic` when it cannot be made.
    static func make(in package: String, to checkout: Checkout) throws(Diagnostic) {
        do {
            try FileManager.default.createSymbolicLink(
                atPath: "\(package)/\(name)", withDestinationPath: checkout.path)
        } catch {
            throw Diagnostic("cannot make the link '\(package)/\(name)': \(error)")
        }
    }

    /// Whether a folder is a package that only lacks the link.
    static func isMissing(in package: String) -> Bool {
        let files = FileManager.default
        guard let manifest = files.contents(atPath: "\(package)/Package.swift") else { return false }
        return String(decoding: manifest, as: UTF8.self).contains("path: \"\(name)\"")
            && (try? files.destinationOfSymbolicLink(atPath: "\(package)/\(name)")) == nil
            && !files.fileExists(atPath: "\(package)/\(name)")
    }
}

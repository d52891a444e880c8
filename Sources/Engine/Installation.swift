public import Diagnostics
import FoundationEssentials

/// The folder that holds what belongs to the program: `templates/` and `inventory/`.
public enum Installation {
    /// The folder is found from the program's own place, so from any working directory: a checkout around
    /// `.build/release/drover`, or `share/drover` beside an installed `bin/drover`; likewise for a program of another name.
    /// Nil when there is none.
    public static let folder: String? = {
        let files = FileManager.default
        guard var place = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
        let name = place.split(separator: "/").last ?? ""
        while let slash = place.lastIndex(of: "/") {
            place = String(place[..<slash])
            for candidate in [place, "\(place)/share/\(name)"]
            where ["templates", "inventory"].allSatisfy({ files.fileExists(atPath: "\(candidate)/\($0)") }) {
                return candidate
            }
        }
        return nil
    }()

    /// The path of something that belongs to the program, such as `templates/motd`.
    ///
    /// - Throws: a `Diagnostic` when the program stands where nothing of that belongs to it.
    public static func path(of name: String) throws(Diagnostic) -> String {
        guard let folder else {
            throw Diagnostic(
                "the folders templates/ and inventory/ are not found above or beside the program",
                remedy: "run it from where it was built or installed")
        }
        return "\(folder)/\(name)"
    }
}

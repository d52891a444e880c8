import FoundationEssentials

/// The folder that holds what belongs to the program: `templates/` and `inventory/`.
public enum Installation {
    /// The folder is found from the program's own place, so from any working directory: a checkout around
    /// `.build/release/drover`, or `share/drover` beside an installed `bin/drover`. Nil when there is none.
    public static let folder: String? = {
        let files = FileManager.default
        guard var place = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
        while let slash = place.lastIndex(of: "/") {
            place = String(place[..<slash])
            for candidate in [place, place + "/share/drover"]
            where ["templates", "inventory"].allSatisfy({ files.fileExists(atPath: "\(candidate)/\($0)") }) {
                return candidate
            }
        }
        return nil
    }()
}

/// A host does not run systemd, so that nothing is known of its units.
struct MissingSystemd: Error, CustomStringConvertible {
    let units: [String]

    var description: String {
        "the host does not run systemd (there is no /run/systemd/system), which \(units.joined(separator: ", ")) needs; "
            + "boot it with systemd, or declare no units for it"
    }
}

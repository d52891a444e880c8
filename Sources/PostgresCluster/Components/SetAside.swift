import Drover
import Secrets

/// Ensures that nobody finds the data of a directory any more: it, the directory of its log and those of its tablespaces
/// get other names, `*.removed-<UTC time>`, or are deleted.
struct SetAside: Resource {
    let directory: String
    /// Whether it is deleted, and with it what was set aside before.
    let deletes: Bool

    var name: String { "data in \(directory)" }

    private var places: DataPlaces { DataPlaces(path: directory) }

    var questions: [any Fact] { [places] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let found = try facts[places]
        if deletes {
            return found.places.map(deletion) + found.setAside.map { deletion(of: .init(path: $0)) }
        }
        if found.places.isEmpty { return [] }
        let list = found.places.map(\.path).joined(separator: ", ")
        return [Change("set aside \(list) as *.removed-<UTC time>", script: MaskedText(renaming(found.places)))]
    }

    /// One time for all of them, so that what belongs together has the same name.
    private func renaming(_ places: [DataPlaces.Place]) -> String {
        let orders = places.map { place in
            let path = Shell.quote(place.path)
            return place.isMountPoint
                ? """
                mkdir -p -m 0700 -- \(path)/"$name"
                find \(path) -mindepth 1 -maxdepth 1 ! -name lost+found ! -name '\(DataPlaces.suffix)' \\
                    -exec mv -t \(path)/"$name" -- {} +
                """ : "mv -T -- \(path) \(path).\"$name\""
        }
        return (["name=removed-$(date -u +%Y%m%dT%H%M%SZ)"] + orders).joined(separator: "\n")
    }

    private func deletion(of place: DataPlaces.Place) -> Change {
        let path = Shell.quote(place.path)
        let script =
            place.isMountPoint
            ? "find \(path) -xdev -mindepth 1 -delete" : "rm -rf --one-file-system -- \(path)"
        return Change(
            "delete \(place.isMountPoint ? "what is in " : "")\(place.path) for ever", script: MaskedText(script))
    }
}

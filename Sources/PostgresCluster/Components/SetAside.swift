import Engine
import Secrets

/// Ensures that nobody finds the data of a directory any more: it, the directory of its log and those of its tablespaces
/// get other names, `*.removed-<UTC time>`, or are deleted.
struct SetAside: Resource {
    let directory: String
    /// The owner of the data.
    var user = "postgres"
    /// Whether it is deleted, and with it what was set aside before.
    let deletes: Bool

    var name: String { "data in \(directory)" }

    private var places: DataPlaces { DataPlaces(path: directory, user: user) }

    var questions: [any Fact] { [places] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let found = try facts[places]
        if let refusal = Refusal(all: found.unfit.map { $0.refusal(of: directory) }) { throw refusal }
        if deletes {
            return found.places.map(deletion) + found.setAside.map { deletion(of: .init(path: $0, isSetAside: true)) }
        }
        if found.places.isEmpty { return [] }
        let list = found.places.map(\.path).joined(separator: ", ")
        return [Change("set aside \(list) as *.removed-<UTC time>", .remove, script: renaming(found.places))]
    }

    /// Fails when a place is no longer what was found. Its owner may have put something else there since.
    private func check(_ place: DataPlaces.Place) -> ShellText {
        if place.path == directory { return ":" }
        let path = ShellText.quoting(place.path)
        return """
            contents=\(place.isSetAside ? "any" : "")
            [ \(path) != "$(readlink -m -- \(quoting: directory))" ] || contents=any
            reason=$(unfit \(path) \(quoting: user) $contents)
            [ -z "$reason" ] || { echo \(path)": $reason"; exit 1; }
            """
    }

    /// One time for all of them, so that what belongs together has the same name.
    private func renaming(_ places: [DataPlaces.Place]) -> ShellText {
        let orders = places.map { place -> ShellText in
            let path = ShellText.quoting(place.path)
            return place.isMountPoint
                ? """
                as_holder \(path)/. mkdir -p -m 0700 -- \(path)/"$name"
                as_holder \(path)/. find \(path) -mindepth 1 -maxdepth 1 ! -name lost+found ! -name '\(LinkedDirectories.suffix)' \\
                    -exec mv -t \(path)/"$name" -- {} +
                """ : "as_holder \(path) mv -T -- \(path) \(path).\"$name\""
        }
        let checks = [LinkedDirectories.functions] + places.map(check)
        return (checks + ["name=removed-$(date -u +%Y%m%dT%H%M%SZ)"] + orders).joined(separator: "\n")
    }

    private func deletion(of place: DataPlaces.Place) -> Change {
        let path = ShellText.quoting(place.path)
        let order: ShellText =
            place.isMountPoint
            ? "as_holder \(path)/. find \(path) -mindepth 1 -maxdepth 1 -exec rm -rf --one-file-system -- {} +"
            : "as_holder \(path) rm -rf --one-file-system -- \(path)"
        return Change(
            "delete \(place.isMountPoint ? "what is in " : "")\(place.path) for ever", .remove,
            script: [LinkedDirectories.functions, check(place), order].joined(separator: "\n"))
    }
}

extension DataPlaces.Unfit {
    /// - Parameter directory: the data directory whose link leads there.
    /// - Parameter host: the name of its host; nil when the context prints it.
    func refusal(of directory: String, on host: String? = nil) -> Refusal {
        Refusal(
            "a link in \(directory)\(host.map { " on \($0)" } ?? "") leads to \(path), which is not data of this server: "
                + reason,
            remedies: [
                "look at the links pg_wal and pg_tblspc/* of \(directory); correct the one that leads there, or move away "
                    + "what else is there"
            ])
    }
}

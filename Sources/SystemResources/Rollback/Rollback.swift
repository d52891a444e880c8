public import ArgumentParser
import Diagnostics
public import Engine
public import Inventory

/// Brings back the files and the states of units that a run has changed. Packages, users and data stay as they are.
///
/// Run twice it changes nothing the second time: the last run is the last one that was no rollback. To take a rollback
/// back, it is named.
public struct Rollback: Playbook {
    public static let name = "rollback"
    public static let abstract = "Bring back the files and unit states from before the last apply."

    @Argument(help: "Another run, as 'drover runs' lists it.")
    public var run: String?

    public init() {}

    public func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }

    public func hosts(of model: [Host]) -> [Host] { model }

    public func questions(of host: Host, in model: [Host]) -> [any Fact] { [RunHistory()] }

    public func plays(for model: [Host], observed: Observations) throws -> [Play] {
        let histories = model.map { (host: $0, journals: observed[$0].ifKnown(RunHistory()) ?? []) }
        guard model.allSatisfy({ observed[$0].ifKnown(RunHistory()) != nil }) else { return [] }
        let runs = Set(histories.flatMap { $0.journals.map(\.run) })
        let known = Set(runs.map(\.id))
        guard let wanted = run ?? runs.filter({ $0.command != Self.name }).map(\.id).max() else {
            throw Refusal("no run has changed these hosts", remedies: ["there is nothing to bring back"])
        }
        guard known.contains(wanted) else {
            throw Refusal(
                "none of the hosts knows the run '\(wanted)'", remedies: ["'drover runs' lists those that they know"])
        }
        let journals = Dictionary(
            uniqueKeysWithValues: histories.compactMap { host, journals in
                journals.first { $0.run.id == wanted }.map { (host.name, $0) }
            })
        return [
            Play("Bring back what the run \(wanted) has changed", on: model.filter { journals[$0.name] != nil }) {
                host in
                if let journal = journals[host.name] { Self.resources(undoing: journal) }
            }
        ]
    }

    /// A path or a unit that was changed several times comes back as it was before the first.
    static func resources(undoing journal: Journal) -> [any Resource] {
        let files = first(of: journal.kept, by: \.path)
        let units = first(of: journal.units, by: \.name)
        let paths = Set(files.map(\.path))
        return files.map { KeptFile(kept: $0, run: journal.run) }
            + units.map { KeptUnit($0, reading: paths) }
    }

    private static func first<Entry>(of entries: [Entry], by key: KeyPath<Entry, String>) -> [Entry] {
        var seen: Set<String> = []
        return entries.filter { seen.insert($0[keyPath: key]).inserted }
    }
}

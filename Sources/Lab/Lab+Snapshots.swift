import Diagnostics
import SystemPackage

/// Labs that are kept, and brought back as often as one likes.
extension Lab {
    /// The names of all snapshots.
    public static var snapshots: [String] { Snapshot.names }

    /// Keeps what the lab is at this moment: the disks of its hosts, its keys, and the files in its folder.
    ///
    /// All hosts stand still while their disks are copied, and go on afterwards. What the disks hold is what a loss of power
    /// of all hosts at once would leave, so nothing of it has to be stopped. A snapshot of the same name is replaced.
    ///
    /// - Parameter name: of the snapshot: up to 20 lower-case letters and digits.
    /// - Throws: a diagnostic when the lab is not up, or another lab uses the snapshot to be replaced.
    public func snapshot(as name: String) async throws {
        let snapshot = Snapshot(name: try Self.checked(name, names: "a snapshot"))
        try checkIsUp()
        try await exclusively {
            let draft = snapshot.draft
            try Files.remove(draft.folder)
            try Files.createFolder(draft.files)
            let machines = try listedHosts().entries.map(machine)
            try await whileStanding(machines) {
                for machine in machines { try await machine.keepDisk(in: draft.disks.appending(machine.name)) }
                try await Program.run(["cp", "--archive"] + places.kept.map(\.string) + [draft.files.string])
            }
            try await Snapshot.exclusively {
                try snapshot.checkIsUnused()
                try Files.remove(snapshot.folder)
                try Files.move(draft.folder, to: snapshot.folder)
            }
        }
    }

    /// Makes the lab what it was when the snapshot was taken, and boots all its hosts; returns when each answers to SSH.
    ///
    /// What the lab is now is lost. It need not be the lab of which the snapshot was taken.
    public func restore(_ name: String) async throws {
        let snapshot = Snapshot(name: try Self.checked(name, names: "a snapshot"))
        try await Program.checkAll()
        try await exclusively {
            try snapshot.checkIsWhole()
            try await demolish()
            try await Snapshot.exclusively {
                try snapshot.checkIsWhole()
                try await build(from: snapshot)
            }
            try await boot(snapshot.hosts.entries.map(machine)) { try $0.makeDisk() }
            try Files.replace(places.hosts, with: snapshot.hosts.text)
        }
    }

    /// Removes a snapshot.
    ///
    /// - Throws: a diagnostic when there is none, or when a lab uses it.
    public static func forget(_ name: String) async throws {
        let snapshot = Snapshot(name: try checked(name, names: "a snapshot"))
        try await Snapshot.exclusively {
            try snapshot.checkExists()
            try snapshot.checkIsUnused()
            try Files.remove(snapshot.folder)
        }
    }

    /// Runs `body` while all those machines stand still that run now.
    private func whileStanding(_ machines: [Machine], _ body: () async throws -> Void) async throws {
        let running = try machines.filter { try $0.isOn && !$0.isPaused }
        let result: Result<Void, any Error>
        do {
            for machine in running { try await machine.pause(true) }
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        for machine in running { try await machine.pause(false) }
        try result.get()
    }
}

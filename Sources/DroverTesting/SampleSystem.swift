public import Engine
public import SystemResources

/// A host that exists in a test only: what it would answer to the facts that resources need.
///
///     let plan = try Plan.of(Baseline(), on: .bareDebian12)
///     let other = SampleSystem.bareDebian12.with(package: "curl").with(file: "/etc/motd", containing: "hello\n")
///
/// What is not said of it does not exist there: packages, files, units, users.
public struct SampleSystem: Sendable {
    var profile: HostProfile.Answer
    var packages: [String: PackageStatus.Answer] = [:]
    var files: [String: SampleFile] = [:]
    var units: [String: UnitStatus.Answer] = [:]
    var users: [String: UserEntry.Entry] = [:]
    var groups: [String: Int] = [:]
    /// Answers to facts about which nothing else is said here.
    var answers = Facts()

    /// When its services were started: one second after the epoch.
    public static let started = Timestamp(nanoseconds: 1_000_000_000)

    init(profile: HostProfile.Answer) {
        self.profile = profile
    }

    /// The same host with a package.
    public func with(package: String, version: String = "1") -> SampleSystem {
        changed { $0.packages[package] = PackageStatus.Answer(version: version) }
    }

    /// The same host with a file.
    ///
    /// - Parameter modified: when it was last written; before the services were started unless said otherwise.
    public func with(
        file path: String, containing content: String, owner: String = "root", group: String = "root",
        mode: FileMode = 0o644, modified: Timestamp = Timestamp(nanoseconds: 0)
    ) -> SampleSystem {
        changed {
            $0.files[path] = SampleFile(content: content, owner: owner, group: group, mode: mode, modified: modified)
        }
    }

    /// The same host with a directory.
    public func with(
        directory path: String, owner: String = "root", group: String = "root", mode: FileMode = 0o755
    ) -> SampleSystem {
        changed {
            $0.files[path] = SampleFile(
                content: nil, owner: owner, group: group, mode: mode, modified: Timestamp(nanoseconds: 0))
        }
    }

    /// The same host with a unit, such as `haproxy.service`.
    ///
    /// - Parameters:
    ///   - active: as systemd says: `active`, `inactive`, `failed`.
    ///   - unitFile: as systemd says: `enabled`, `disabled`, `static`.
    public func with(
        unit: String, active: String = "active", unitFile: String = "enabled", started: Timestamp = started
    ) -> SampleSystem {
        changed {
            $0.units[unit] = UnitStatus.Answer(
                active: active, unitFile: unitFile, started: started, changedState: started)
        }
    }

    /// The same host with a user of its own group.
    public func with(user: String, uid: Int, home: String, shell: String = "/bin/bash") -> SampleSystem {
        changed {
            $0.users[user] = UserEntry.Entry(uid: uid, group: user, home: home, shell: shell)
            $0.groups[user] = uid
        }
    }

    /// The same host with a group.
    public func with(group: String, gid: Int) -> SampleSystem { changed { $0.groups[group] = gid } }

    /// The same host with the answer to a fact, whatever else is said of the host.
    public func answering<F: Fact>(_ fact: F, with answer: F.Answer) -> SampleSystem {
        changed { $0.answers.record(answer, to: fact) }
    }

    private func changed(_ change: (inout SampleSystem) -> Void) -> SampleSystem {
        var system = self
        change(&system)
        return system
    }
}

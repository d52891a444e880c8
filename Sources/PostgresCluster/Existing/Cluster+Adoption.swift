public import Engine
import FoundationEssentials
import Inventory
import Secrets
import SystemResources

extension Cluster {
    /// Looks at a server that is to become the leader, and at those who are to follow it; and tells what becomes of it.
    public func adoptionExamination() -> Play {
        let growth = GrowthQuestions(configuration: configuration)
        let adoption = adoption
        let newcomers = newcomers
        return Play(
            "Look at the existing PostgreSQL",
            on: adoption.map { [$0.node.host] + newcomers.map(\.host) } ?? [], tags: [Play.always]
        ) { host in
            if let adoption, host.name == adoption.node.name {
                Examination(
                    name: "existing PostgreSQL", questions: growth.ofLeader + [adoption.packages],
                    remarks: adoption.remarks)
            } else if let adoption {
                Examination(
                    name: "what a clone of the existing PostgreSQL needs",
                    questions: growth.ofNewcomer + adoption.neededPaths.map(FileStatus.init))
            }
        }
    }

    /// Everything that can be done for its new part before the server is stopped.
    public func adoptionPreparation() -> Play {
        let adoption = adoption
        return Play(
            "Prepare the existing PostgreSQL", on: adoption.map { [$0.node.host] } ?? [], tags: ["patroni"]
        ) { _ in
            if let adoption { try adoption.preparation }
        }
    }
}

extension Adoption {
    /// The logins of the cluster, and what Patroni reads when it starts for the first time.
    @ResourceBuilder
    var preparation: [any Resource] {
        get throws {
            let patroni = cluster.configuration.patroni
            let data = cluster.configuration.postgres.dataDirectory
            PostgresRole(
                role: patroni.superuser.name, password: patroni.superuser.password, flags: nil, catalog: cluster.catalog
            )
            PostgresRole(
                role: patroni.replication.name, password: patroni.replication.password, flags: [.replication],
                catalog: cluster.catalog)
            File(
                data + "/postgresql.base.conf", containing: settings.base, owner: "postgres", group: "postgres",
                mode: 0o600)
            File(
                data + "/patroni.dynamic.json", containing: MaskedText(try sharedConfiguration), owner: "postgres",
                group: "postgres", mode: 0o600)
            if let file = server.identity?.identFile {
                try SystemResources.Command(
                    "cd /\nrunuser -u postgres -- install -m 0600 -- \(words: [file, data + "/pg_ident.conf"])",
                    called: "keep the names in \(file)", creates: data + "/pg_ident.conf")
            }
        }
    }

    /// What Patroni gives to etcd when it begins: it takes this before what its own file says.
    private var sharedConfiguration: String {
        get throws {
            let parameters = settings.shared.map {
                DynamicConfiguration.Setting(path: ["postgresql", "parameters", $0.name], value: .text($0.value))
            }
            let fixed: [DynamicConfiguration.Setting] = [
                .init(path: ["check_timeline"], value: .bool(true)),
                .init(path: ["postgresql", "use_slots"], value: .bool(true)),
            ]
            return try DynamicConfiguration.json(of: fixed + cluster.sharedSettings + parameters)
        }
    }

    /// What makes the server one of Patroni's, which leads already.
    @ResourceBuilder
    var takeover: [any Resource] {
        if let directory = configurationDirectory {
            // From here on Patroni starts it, also at boot.
            File(directory + "/start.conf", containing: "manual\n", owner: "postgres", group: "postgres")
        }
        TakenOver(adoption: self)
    }

    var remarks: [String] {
        var remarks: [String] = []
        let changes = settings.changes
        if !changes.isEmpty {
            remarks.append("what the restart changes of the existing server: " + changes.joined(separator: ", "))
        }
        remarks.append(
            "what it keeps: \(settings.keptCount) settings, in postgresql.base.conf"
                + (settings.shared.isEmpty
                    ? ""
                    : "; and for all members "
                        + settings.shared.map { "\($0.name) \($0.value)" }.joined(separator: ", ")))
        if !droppedRules.isEmpty {
            remarks.append(
                "rules of its pg_hba.conf that are no longer there, unless postgresql_pg_hba has them: "
                    + droppedRules.map(\.description).joined(separator: "; "))
        }
        if !settings.overriding.isEmpty {
            remarks.append(
                "what ALTER SYSTEM has set and is decided elsewhere now: " + settings.overriding.joined(separator: ", ")
            )
        }
        if server.identity?.hasChecksums == false {
            remarks.append(
                "its pages have no checksums: only pg_checksums, on a server that is stopped, could add them")
        }
        return remarks
    }
}

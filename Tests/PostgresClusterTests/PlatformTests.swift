import ArgumentParser
import Engine
import Inventory
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Platforms")
struct PlatformTests {
    private static func debian(_ version: String, _ codeName: String = "") -> OSRelease {
        OSRelease(distribution: "debian", version: version, codeName: codeName)
    }

    private static func ubuntu(_ version: String) -> OSRelease { OSRelease(distribution: "ubuntu", version: version) }

    @Test("a host's release is read from os-release, quoted or not")
    func release() throws {
        let output = """
            VERSION_ID="13"
            VERSION_CODENAME=trixie
            ID=debian

            """
        #expect(
            try HostRelease.answers(to: [HostRelease()], from: output) == [HostRelease(): Self.debian("13", "trixie")])
        #expect(try HostRelease.answers(to: [HostRelease()], from: "") == [HostRelease(): OSRelease()])
        #expect(throws: (any Error).self) { try HostRelease.answers(to: [HostRelease()], from: "what\n") }
    }

    @Test("a release that is not supported is refused, and has the names of the nearest one")
    func refusals() {
        #expect(Platform(Self.debian("12")) == .debian12)
        #expect(Platform(Self.debian("13")) == .debian13)
        #expect(Platform.refusal(of: Self.debian("13", "trixie")) == nil)
        #expect(Platform.nearest(to: Self.debian("11")) == .debian12)
        #expect(Platform.nearest(to: Self.debian("14")) == .debian13)
        #expect(Platform.nearest(to: Self.debian("", "forky")) == .debian13)
        #expect(Platform.nearest(to: OSRelease(distribution: "arch")) == .debian12)
        #expect(Platform(Self.ubuntu("24.04")) == .ubuntu2404)
        #expect(Platform.refusal(of: Self.ubuntu("24.04")) == nil)
        #expect(Platform.nearest(to: Self.ubuntu("26.04")) == .ubuntu2404)
        #expect(
            Platform.refusal(of: Self.ubuntu("22.04"))
                == "this is ubuntu 22.04, whose etcd lacks what Drover uses and whose Patroni can lose acknowledged rows, and "
                + "Drover supports Debian 12, Debian 13 and Ubuntu 24.04: install one of these; --skip-preflight system tries "
                + "it with the names of Ubuntu 24.04")
        #expect(
            Platform.refusal(of: Self.debian("", "forky"))
                == "this is debian forky, whose packages still change, and Drover supports Debian 12, Debian 13 and Ubuntu "
                + "24.04: install one of these; --skip-preflight system tries it with the names of Debian 13")
        #expect(Platform.refusal(of: OSRelease())?.hasPrefix("this is an unknown system, and Drover supports") == true)
    }

    @Test("the version of PostgreSQL and its paths are those of the members' platform, unless the inventory says them")
    func defaults() throws {
        let configuration = try Sample.configuration()
        var observed = Observations()
        observed[configuration.members[1].host].record(Self.debian("13", "trixie"), to: HostRelease())
        let postgres = configuration.on(platformIn: observed).postgres
        #expect(configuration.postgres.version == 15)
        #expect(postgres.version == 17)
        #expect(postgres.package == "postgresql-17")
        #expect(postgres.binaryDirectory == "/usr/lib/postgresql/17/bin")
        #expect(postgres.dataDirectory == "/var/lib/postgresql/17/main")
        let given = try Sample.configuration(
            Sample.text(
                Sample.variables + ["postgresql_version: 16", "postgresql_data_dir: /var/lib/postgresql/data"]))
        let kept = given.on(.debian13).postgres
        #expect(kept.version == 16)
        #expect(kept.binaryDirectory == "/usr/lib/postgresql/16/bin")
        #expect(kept.dataDirectory == "/var/lib/postgresql/data")
    }

    @Test("values of the inventory that refer to the version have that of the host, unless the inventory says one")
    func references() throws {
        func packages(
            _ variables: [String], on version: String, of distribution: String = "debian"
        ) throws -> [String] {
            let lines =
                Sample.variables + variables + ["postgresql_packages: ['postgresql-{{ postgresql_version }}-cron']"]
            let directory = try TemporaryDirectory(["hosts.yml": Sample.text(lines)])
            let inventory = try Inventory.load(
                file: directory.path + "/hosts.yml",
                extraVariables: ["patroni_restapi_password=rest-pw", "tls_enable=false"]
            )
            let completed = try BackupVerification.parse([]).completed(inventory)
            #expect(completed.takesFacts == variables.isEmpty)
            var facts = HostFacts()
            facts.version = version
            facts.distribution = distribution
            let names = inventory.hosts.map(\.name)
            return try ClusterConfiguration(
                completed.bound(to: Dictionary(uniqueKeysWithValues: names.map { ($0, facts) }))
            ).postgres.packages
        }
        #expect(try packages([], on: "12") == ["postgresql-15-cron"])
        #expect(try packages([], on: "13") == ["postgresql-17-cron"])
        #expect(try packages([], on: "24.04", of: "ubuntu") == ["postgresql-16-cron"])
        #expect(try packages(["postgresql_version: 16"], on: "13") == ["postgresql-16-cron"])
    }

    @Test("a playbook's model is bound to the platform of the hosts, once")
    func binding() throws {
        let configuration = try Sample.configuration()
        let model = ClusterModel(
            configuration: configuration, templates: try ClusterTemplates(folder: Sample.folder("templates")))
        let playbook = try BackupVerification.parse([])
        var observed = Observations()
        #expect(playbook.model(model, boundTo: observed) == nil)
        let host = configuration.members[0].host
        observed[host].record(Self.debian("12", "bookworm"), to: HostRelease())
        #expect(playbook.model(model, boundTo: observed) == nil)
        observed = Observations()
        observed[host].record(Self.debian("13", "trixie"), to: HostRelease())
        let bound = try #require(playbook.model(model, boundTo: observed))
        #expect(bound.configuration.postgres.version == 17)
        #expect(playbook.model(bound, boundTo: observed) == nil)
    }
}

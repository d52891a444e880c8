import Diagnostics
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Several clusters in one inventory")
struct ClusterSelectionTests {
    /// Two clusters, each with its own group, as `vars` of which more is written.
    private static func text(shop: String = "", books: String = "", pg3: String = "ansible_host: 10.0.0.3") -> String {
        """
        all:
          vars:
            patroni_superuser_password: s
            patroni_replication_password: r
            pgbouncer_auth_password: p
          children:
            shop:
              vars: { patroni_cluster_name: shop, \(shop) }
              hosts:
                pg1: { ansible_host: 10.0.0.1 }
                pg2: { ansible_host: 10.0.0.2 }
            books:
              vars: { patroni_cluster_name: books, \(books) }
              hosts:
                pg3: { \(pg3) }
            etcd_cluster:
              hosts: { pg1: , pg3: }
            master:
              hosts: { pg1: , pg3: }
            replica:
              hosts: { pg2: }

        """
    }

    private func inventory(_ text: String) throws -> (Inventory, TemporaryDirectory) {
        let directory = try TemporaryDirectory(["hosts.yml": text])
        return (try Inventory.load(file: directory.path + "/hosts.yml"), directory)
    }

    @Test("each is made of the hosts that name it")
    func selection() throws {
        let (inventory, directory) = try inventory(Self.text(shop: "postgresql_port: 5433"))
        defer { withExtendedLifetime(directory) {} }
        #expect(inventory.clusters == ["shop", "books"])
        let shop = try ClusterConfiguration(try inventory.selecting(cluster: "shop"))
        #expect(shop.name == "shop")
        #expect(shop.members.map(\.name) == ["pg1", "pg2"])
        #expect(shop.etcd.map(\.name) == ["pg1"])
        #expect(shop.postgres.port == 5433)
        let books = try ClusterConfiguration(try inventory.selecting(cluster: "books"))
        #expect(books.hosts.map(\.name) == ["pg3"])
        #expect(books.postgres.port == 5432)
    }

    @Test("without a choice, or with a wrong one, nothing is done")
    func choice() throws {
        let (inventory, directory) = try inventory(Self.text())
        defer { withExtendedLifetime(directory) {} }
        let none = try #require(throws: Diagnostics.self) { try ClusterConfiguration(inventory) }
        #expect("\(none)" == "the inventory has 2 clusters: shop, books; say which one by --cluster NAME")
        let wrong = try #require(throws: Diagnostics.self) { try inventory.selecting(cluster: "book") }
        #expect("\(wrong)" == "--cluster book: the inventory has no such cluster; did you mean 'books'?")
    }

    private static let clashes: [(text: String, expected: String)] = [
        (
            text(shop: "cluster_vip: 10.0.0.9", books: "cluster_vip: 10.0.0.9"),
            "hosts.yml:13:57: the clusters 'shop' and 'books' have one cluster_vip, 10.0.0.9; give each an address of its own"
        ),
        (
            text(
                shop: "cluster_vip: 10.0.0.8", books: "cluster_vip: 10.0.0.9, keepalived_virtual_router_id: 8"),
            "hosts.yml:13:57: the clusters 'shop' and 'books' have one virtual router id, 8, on one network; "
                + "give one of them another keepalived_virtual_router_id"
        ),
        (
            text(shop: "cluster_vip: 10.0.0.3"),
            "hosts.yml:8:56: cluster_vip 10.0.0.3 of 'shop' is the address of pg3 of 'books'; choose one that no host has"
        ),
        (
            text(pg3: "ansible_host: 10.0.0.1"),
            "hosts.yml:15:9: 'pg1' of 'shop' and 'pg3' of 'books' have one address, 10.0.0.1; give each cluster hosts of its own"
        ),
        (
            text().replacing("replica:\n      hosts: { pg2: }", with: "replica:\n      hosts: { pg2: , pg4: }"),
            "hosts.yml:21:23: 'pg4' is in 'replica', and belongs to no cluster; put it into the group of one whose vars have "
                + "patroni_cluster_name"
        ),
    ]

    @Test("do not take anything from each other", arguments: clashes)
    func clash(text: String, expected: String) throws {
        let (inventory, directory) = try inventory(text)
        for cluster in ["shop", "books"] {
            let error = try #require(throws: Diagnostics.self) { try inventory.selecting(cluster: cluster) }
            #expect(directory.shortened(error.description) == expected)
        }
    }

    @Test("may have one router id on two networks")
    func networks() throws {
        let (inventory, directory) = try inventory(
            Self.text(shop: "cluster_vip: 10.0.0.8", books: "cluster_vip: 10.1.0.8"))
        defer { withExtendedLifetime(directory) {} }
        #expect(try inventory.selecting(cluster: "shop").hosts.count == 2)
    }
}

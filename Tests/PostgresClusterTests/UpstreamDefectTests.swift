import Foundation
import SystemResources
import Testing

@testable import PostgresCluster

@Suite("Faults that upstream has fixed")
struct UpstreamDefectTests {
    /// What Debian 12 has.
    static let debian = [
        "patroni": "3.0.2-1", "etcd-server": "3.4.23-4+b4", "pgbouncer": "1.18.0-1+deb12u1",
        "haproxy": "2.6.12-1+deb12u4", "keepalived": "1:2.2.7-1+b2",
    ]

    private static let debian13 = [
        "patroni": "4.0.7-3~deb13u1", "etcd-server": "3.5.16-4", "pgbouncer": "1.24.1-1+deb13u2",
        "haproxy": "3.0.11-1+deb13u5", "keepalived": "1:2.3.3-1",
    ]

    private static let ubuntu2404 = [
        "patroni": "3.2.2-2", "etcd-server": "3.4.30-1ubuntu0.24.04.3", "pgbouncer": "1.22.0-1build4",
        "haproxy": "2.8.5-1ubuntu3.4", "keepalived": "1:2.2.8-1build2",
    ]

    private static func refused(_ package: String, _ version: String) -> [String] {
        UpstreamDefects.concerning(package: package, version: version).filter {
            if case .refused = $0.measure { true } else { false }
        }.map(\.reference)
    }

    @Test("nothing of Debian 12 and 13 and of Ubuntu 24.04 is refused", arguments: debian.keys.sorted())
    func accepted(package: String) throws {
        #expect(Self.refused(package, try #require(Self.debian[package])) == [])
        #expect(Self.refused(package, try #require(Self.debian13[package])) == [])
        #expect(Self.refused(package, try #require(Self.ubuntu2404[package])) == [])
    }

    @Test(
        "versions that would lose rows or make two leaders are refused, and those that do not are not",
        arguments: [
            ("patroni", "2.1.7-1", ["#2689, #2693"]), ("patroni", "3.0.1-1", ["#2689, #2693"]),
            ("patroni", "3.0.3-1", []),
            ("patroni", "4.1.4-1.pgdg12+1", []), ("etcd-server", "3.3.25-1", ["#14423, #14424"]),
            ("etcd-server", "3.5.0-1", ["#13908", "#14423, #14424"]),
            ("etcd-server", "3.5.2", ["#13908", "#14423, #14424"]),
            ("etcd-server", "3.5.3-1", ["#14423, #14424"]), ("etcd-server", "3.5.16-4", []),
            ("etcd-server", "3.6.10-1", []),
        ])
    func refusals(package: String, version: String, expected: [String]) {
        #expect(Self.refused(package, version) == expected)
    }

    @Test("a fault that Debian has corrected concerns only what came before, and what upstream has corrected later")
    func backports() {
        func isConcerned(_ version: String) -> Bool {
            UpstreamDefects.concerning(package: "pgbouncer", version: version).contains {
                $0.reference == "CVE-2025-2291"
            }
        }
        #expect(isConcerned("1.18.0-1"))
        #expect(!isConcerned("1.18.0-1+deb12u1"))
        #expect(isConcerned("1.24.0-1.pgdg12+1"))
        #expect(!isConcerned("1.24.1-1.pgdg12+1"))
        let malformed = ["1.24.1-1+deb13u1", "1.24.1-1+deb13u2", "1.24.1-1.pgdg13+1", "1.25.2-1"].map { version in
            UpstreamDefects.concerning(package: "pgbouncer", version: version).contains {
                $0.reference == "CVE-2026-6664"
            }
        }
        #expect(malformed == [true, false, true, false])
        #expect(UpstreamDefects.concerning(package: "nginx", version: "1").isEmpty)
    }

    @Test("what is refused would lose rows, make two leaders or give away rights; a crash is told at most")
    func severity() {
        for defect in UpstreamDefects.all {
            if case .refused = defect.measure { #expect(defect.effect != .crash, "\(defect.reference)") }
            if defect.effect == .privileges { #expect(defect.measure != .tolerated || defect.reference == "#3175") }
        }
    }

    // MARK: The document

    private struct Row: Hashable, CustomStringConvertible {
        let package: String
        let reference: String
        let effect: String
        let isInDebian: Bool

        var description: String { "\(package) \(reference) \(effect) \(isInDebian ? "yes" : "no")" }
    }

    /// The tables of the document, each under the name of its package.
    private static func documented() throws -> [Row] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/upstream-fixes.md"), encoding: .utf8)
        var package = ""
        var rows: [Row] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { package = String(line.dropFirst(3)) }
            let cells = line.split(separator: "|").map { $0.drop { $0 == " " } }
            guard line.hasPrefix("| "), cells.count == 5, !cells[0].hasPrefix("Fix ") else { continue }
            rows.append(
                Row(
                    package: package, reference: String(cells[0].dropLast()),
                    effect: String(cells[2].prefix { $0 != ":" }),
                    isInDebian: cells[3].hasPrefix("yes")))
        }
        return rows
    }

    @Test("the document lists what concerns Debian 13", arguments: debian13.keys.sorted())
    func documentOfDebian13(package: String) throws {
        let version = try #require(Self.debian13[package])
        let found = UpstreamDefects.concerning(package: package, version: version).map(\.reference)
        let list = found.isEmpty ? "none" : found.joined(separator: "; ")
        let text = try String(contentsOfFile: Sample.folder("docs") + "/upstream-fixes.md", encoding: .utf8)
        #expect(text.contains("\n- `\(package)` \(version): \(list)\n"))
    }

    @Test("the document lists the same faults, and says of the same ones that Debian 12 has them")
    func document() throws {
        let documented = try Self.documented()
        #expect(Set(documented).count == documented.count)
        var rows: [Row: Bool] = [:]
        for defect in UpstreamDefects.all {
            let version = PackageVersion(try #require(Self.debian[defect.package]))
            let row = Row(
                package: defect.package, reference: defect.reference, effect: defect.effect.rawValue, isInDebian: false)
            rows[row, default: false] = rows[row, default: false] || defect.concerns(version)
        }
        let listed = rows.map {
            Row(package: $0.package, reference: $0.reference, effect: $0.effect, isInDebian: $1)
        }
        #expect(Set(documented) == Set(listed), "\(Set(documented).symmetricDifference(listed))")
    }
}

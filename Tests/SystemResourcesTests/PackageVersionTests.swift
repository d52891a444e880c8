import Foundation
import Testing

@testable import SystemResources

@Suite("Versions of packages")
struct PackageVersionTests {
    /// In ascending order.
    private static let versions = [
        "0", "1.0~~", "1.0~rc1-1", "1.0", "1.0-0.1", "1.0-1~bpo12+1", "1.0-1", "1.0-1+b2", "1.0-1+deb12u1", "1.0-1.1",
        "1.0a",
        "1.0+git1", "1.0.1", "1.2", "1.10", "1.18.0-1", "1.18.0-1+deb12u1", "1.19.1-1.pgdg120+1", "3.0.2-1", "3.0.10-1",
        "4.1.4-1.pgdg12+1", "1:0.1",
    ]

    @Test("are ordered as dpkg orders them")
    func order() {
        for (place, one) in Self.versions.enumerated() {
            for (otherPlace, other) in Self.versions.enumerated() {
                #expect((PackageVersion(one) < PackageVersion(other)) == (place < otherPlace), "\(one) \(other)")
                #expect((PackageVersion(one) == PackageVersion(other)) == (place == otherPlace), "\(one) \(other)")
            }
        }
    }

    @Test(
        "of another spelling are equal",
        arguments: [("1.0", "1.0-0"), ("0:1.0", "1.0"), ("1.01", "1.1"), ("1.0-", "1.0")])
    func equality(one: String, other: String) {
        #expect(PackageVersion(one) == PackageVersion(other))
        #expect(Set([PackageVersion(one), PackageVersion(other)]).count == 1)
    }

    @Test("dpkg agrees", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg")))
    func dpkg() throws {
        for (one, other) in zip(Self.versions, Self.versions.dropFirst()) {
            let process = try Process.run(
                URL(filePath: "/usr/bin/dpkg"), arguments: ["--compare-versions", one, "lt", other])
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(one) \(other)")
        }
    }
}

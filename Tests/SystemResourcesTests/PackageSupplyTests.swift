import Diagnostics
import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Packages from this machine")
struct PackageSupplyTests {
    private static let listing = """
        \u{1e}
        Package: curl
        Version: 7.88
        Depends: libcurl4 (= 7.88)
        Size: 300000
        SHA256: \(String(repeating: "a", count: 64))
        \u{1e}
        Package: libcurl4
        Version: 7.88
        Size: 1500000
        SHA256: \(String(repeating: "b", count: 64))

        """

    private static let supply = PackageSupply(
        directory: "/debs", names: ["curl_7.88_amd64.deb", "libcurl4_7.88_amd64.deb"], listing: listing)

    private static func facts(_ installed: [String: String], _ answer: SuppliedPackages.Answer? = nil) -> Facts {
        var facts = Facts()
        for package in ["curl", "less"] {
            facts.record(installed[package].map { .init(version: $0) } ?? .absent, to: PackageStatus(package))
        }
        if let answer { facts.record(answer, to: SuppliedPackages(of: supply, for: ["curl"])) }
        return facts
    }

    /// The packages of a run that gets them from this machine.
    private static let packages = PackageSupply.$current.withValue(supply) { Packages(["curl", .absent("less")]) }

    @Test("what they say of themselves is what apt is told, by numbers for names")
    func index() {
        #expect(Self.supply.entries.map(\.package) == ["curl", "libcurl4"])
        #expect(Self.supply.entries.map(\.file) == ["/debs/curl_7.88_amd64.deb", "/debs/libcurl4_7.88_amd64.deb"])
        #expect(Self.supply.index.hasPrefix("Filename: ./0.deb\nPackage: curl\n"))
        #expect(Self.supply.index.contains("\n\nFilename: ./1.deb\nPackage: libcurl4\n"))
    }

    @Test("the host is asked what it needs only when it is known to need something")
    func question() {
        let wanted = SuppliedPackages(of: Self.supply, for: ["curl"])
        #expect(Self.packages.questions(given: Facts()).count == 2)
        #expect(Self.packages.questions(given: Self.facts(["curl": "7.88"])).count == 2)
        #expect(Self.packages.questions(given: Self.facts([:])).last as? SuppliedPackages == wanted)
        #expect(Packages(["curl"]).questions(given: Self.facts([:])).count == 1)
    }

    @Test("what is needed is sent, installed without repositories, and taken away")
    func transaction() throws {
        let facts = Self.facts(["less": "1"], .init(numbers: [0, 1]))
        let change = try only(Self.packages.changes(given: facts, after: .init()))
        #expect(change.summary == "install curl, remove less, from 2 files of /debs, 2 MB")
        #expect(change.deliveries.map(\.file) == Self.supply.entries.map(\.file))
        let script = change.script.reveal()
        let files = change.deliveries.map(\.path).joined(separator: " ")
        #expect(script.contains("-o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=/dev/null"))
        #expect(script.contains("install -- \(files) less-"))
        #expect(script.contains("patiently apt-mark -q auto libcurl4\nrm -rf -- /var/cache/drover/packages\n"))
        #expect(!script.contains("apt-get -q update"))
        // It is shell.
        #expect(script.contains("refresh() { false; }"))
    }

    @Test("what is not there is told before anything is touched")
    func lacking() throws {
        let answer = SuppliedPackages.Answer(complaints: ["curl: Depends: libcurl4 (= 7.88) but it is not installable"])
        let refusal = try #require(throws: Refusal.self) {
            try Self.packages.changes(given: Self.facts([:], answer), after: .init())
        }
        #expect(
            refusal.reason
                == "/debs does not have all that curl needs: curl: Depends: libcurl4 (= 7.88) but it is not installable"
        )
    }

    @Test("the host's answer: files, and what is missing")
    func answer() throws {
        let question = SuppliedPackages(of: Self.supply, for: ["curl"])
        let output = "question\nneed 1\nneed 0\ncomplaint Unable to locate package x\n"
        let answer = try #require(try SuppliedPackages.answers(to: [question], from: output)[question])
        #expect(answer == .init(numbers: [1, 0], complaints: ["Unable to locate package x"]))
        #expect(question.obstacle(answer) != nil)
        #expect(question.obstacle(.init(numbers: [0])) == nil)
        #expect(throws: UnreadableAnswer.self) { try SuppliedPackages.answers(to: [question], from: "hm\n") }
    }

    @Test("a directory is read with dpkg-deb; one without packages, or with a broken one, is told")
    func directory() async throws {
        let folder = try TemporaryDirectory([
            "tree/DEBIAN/control": "Package: tiny\nVersion: 1\nArchitecture: all\nMaintainer: n\nDescription: d\n"
        ])
        await #expect(throws: Diagnostic.self) { try await PackageSupply(directory: folder.path) }
        let build = try await ShellRun.of(
            "cd \(folder.path) && dpkg-deb --root-owner-group --build tree 'tiny 1.deb' >/dev/null")
        #expect(build.status == 0, "\(build.errorOutput)")
        let supply = try await PackageSupply(directory: folder.path)
        let entry = try #require(supply.entries.first)
        #expect(entry.package == "tiny" && entry.size > 100 && entry.digest.count == 64)
        #expect(!supply.index.contains("Description"))
        let broken = try await ShellRun.of("echo no >\(folder.path)/broken.deb")
        #expect(broken.status == 0)
        await #expect(throws: Diagnostic.self) { try await PackageSupply(directory: folder.path) }
    }
}

import SystemPackage
import TestSupport
import Testing

@testable import Lab

@Suite("A snapshot of a lab")
struct SnapshotTests {
    @Test("lists the layers of a disk, the newest first, also beyond nine")
    func layers() throws {
        let folder = try TemporaryDirectory(["1/a": "", "2/a": "", "10/a": "", "lost+found/a": ""])
        let path = FilePath(folder.path)
        #expect(Snapshot.layers(in: path) == ["10", "2", "1"].map { path.appending($0) })
        #expect(Snapshot.layers(in: path.appending("none")) == [])
        withExtendedLifetime(folder) {}
    }

    @Test("is not found in its draft, which no name can mean")
    func draft() throws {
        let draft = Snapshot(name: "deployed").draft.name
        #expect(draft == "deployed.draft")
        #expect(throws: (any Error).self) { try Lab.checked(draft, names: "a snapshot") }
    }
}

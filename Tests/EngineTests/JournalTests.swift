import FoundationEssentials
import Testing

@testable import Engine

@Suite("Journal")
struct JournalTests {
    private static let head = "run\t1\t20261122T090635Z-4f1c\tann@admin\tdeploy-cluster\n"

    @Test("reads steps, what was kept, and units")
    func reads() throws {
        let journal = try #require(
            Journal(
                Self.head + """
                    begin\t1.0\t10.50\tfile /etc/x\twrite /etc/x
                    kept\t/etc/x\tfile abc 640 root adm
                    end\t1.0\t11.75\t0
                    begin\t1.1\t11.75\tservice x\trestart x
                    unit\tx.service\tenabled active
                    end\t1.1\t12.00\t1
                    begin\t2.0\t12.00\tfile /y\tremove /y
                    kept\t/y\tlink two words
                    kept\t/z\tabsent
                    kept\t/d\tother
                    unit\tnew.service\t inactive

                    """))
        #expect(journal.run.id == "20261122T090635Z-4f1c")
        #expect(journal.run.person == "ann@admin")
        #expect(journal.steps.map(\.summary) == ["write /etc/x", "restart x", "remove /y"])
        #expect(journal.steps.map(\.status) == [0, 1, nil])
        #expect(journal.steps.map(\.seconds) == [1.25, 0.25, nil])
        #expect(
            journal.kept.map(\.state) == [
                .file(digest: "abc", mode: "640", owner: "root", group: "adm"), .link(target: "two words"), .absent,
                .other,
            ])
        #expect(journal.units.map(\.unitFile) == ["enabled", ""])
        #expect(journal.units.map(\.active) == ["active", "inactive"])
    }

    @Test("what was kept of a file with a secret is forgotten when that is deleted")
    func purged() throws {
        let journal = try #require(
            Journal(
                Self.head
                    + "kept\t/a\tfile abc 640 root adm\nkept\t/b\tfile abc 640 root adm\nkept\t/a\tsecret\nkept\t/c\tabsent\n"
                    + "kept\t/c\tsecret\n"))
        let other = Journal.Kept.State.file(digest: "abc", mode: "640", owner: "root", group: "adm")
        #expect(journal.kept.map(\.path) == ["/b", "/a", "/c", "/c"])
        #expect(journal.kept.map(\.state) == [other, .secret, .absent, .secret])
    }

    @Test(
        "passes over lines that were cut",
        arguments: [
            "begin\t1.0", "begin\t1\t1.0\ta\tb", "end\t1.0\t1.0\t", "kept\t/x\tfile abc", "unit", "\u{0}\u{0}",
            "kept\t/x",
        ])
    func cut(line: String) throws {
        let journal = try #require(Journal(Self.head + line))
        #expect(journal.steps.isEmpty && journal.kept.isEmpty && journal.units.isEmpty)
    }

    @Test("is none without its head", arguments: ["", "run\t1\tx", "run\t2\ta\tb\tc", "begin\t1.0\t1\ta\tb"])
    func none(text: String) {
        #expect(Journal(text) == nil)
    }

    @Test("names of runs sort by time, also those of one second")
    func identity() {
        let begin = Date(timeIntervalSince1970: 1_795_350_000.25)
        let first = RunIdentity.new(of: "x", at: begin).id
        #expect(first.wholeMatch(of: /20261122T[0-9]{6}\.250Z-[0-9a-f]{4}/) != nil, "\(first)")
        #expect(first < RunIdentity.new(of: "x", at: begin + 0.002).id)
    }
}

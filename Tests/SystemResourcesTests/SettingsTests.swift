import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

@Suite("Limits, locales, time zone, hosts entries")
struct SettingsTests {
    /// Facts of which each file is as it shall be.
    private func facts(of resource: some Resource) -> Facts {
        var facts = Facts()
        for question in resource.questions {
            if let content = question as? FileContent { facts.record(.asExpected, to: content) }
            if let status = question as? FileStatus { facts.record(.file(), to: status) }
        }
        return facts
    }

    private func summaries(_ resource: some Resource, _ facts: Facts) throws -> [String] {
        try resource.changes(given: facts, after: PendingEffects()).map(\.summary)
    }

    @Test("limits are a file of their own")
    func limits() throws {
        let limits = Limits(
            "web", [.init("www-data", "nofile", "65536"), .init("@admins", "nproc", "unlimited", .soft)])
        var facts = facts(of: limits)
        #expect(try summaries(limits, facts).isEmpty)
        let path = "/etc/security/limits.d/90-drover-web.conf"
        let expected = "www-data - nofile 65536\n@admins soft nproc unlimited\n"
        facts.record(.different(""), to: FileContent(path, expected: expected))
        #expect(try summaries(limits, facts) == ["write \(path)"])
    }

    private struct LocaleRow: Sendable {
        var list = ["de_DE.UTF-8 UTF-8", "# en_US.UTF-8 UTF-8"]
        var generated: Set = ["C.utf8", "de_DE.utf8"]
        var customary: FileStatus.Attributes? = .file()
        var content = FileContent.Answer.asExpected
        var expected: [String] = []
    }

    private static let localeRows: [LocaleRow] = [
        LocaleRow(), LocaleRow(list: ["# a"], expected: ["write /etc/locale.gen"]),
        LocaleRow(generated: ["C.utf8"], expected: ["generate locale de_DE.UTF-8"]),
        LocaleRow(content: .different("LANG=C\n"), expected: ["write /etc/default/locale"]),
        LocaleRow(
            customary: .other("symbolic link"), content: .different("LANG=C\n"), expected: ["write /etc/locale.conf"]),
        LocaleRow(customary: .other("symbolic link")),
    ]

    @Test("locales are generated, and one is the default", arguments: localeRows)
    private func locales(row: LocaleRow) throws {
        let locales = Locales(["de_DE.UTF-8", "C.UTF-8"], default: "de_DE.UTF-8")
        var facts = facts(of: locales)
        facts.record(lines: row.list, in: "/etc/locale.gen")
        facts.record(
            try GeneratedLocales.answers(
                to: [GeneratedLocales()], from: row.generated.joined(separator: "\n"))[GeneratedLocales()] ?? [],
            to: GeneratedLocales())
        facts.record(row.customary, to: FileStatus("/etc/default/locale"))
        for path in ["/etc/default/locale", "/etc/locale.conf"] {
            facts.record(row.content, to: FileContent(path, expected: "LANG=de_DE.UTF-8\n"))
        }
        #expect(try summaries(locales, facts) == row.expected)
    }

    @Test(
        "a locale has many spellings",
        arguments: [
            ("de_DE.UTF-8", "de_DE.utf8"), ("C", "C"), ("de_DE.ISO-8859-15@euro", "de_DE.iso885915@euro"),
            ("de_DE@euro", "de_DE@euro"),
        ])
    func spelling(locale: String, expected: String) {
        #expect(GeneratedLocales.spelling(of: locale) == expected)
    }

    @Test("the time zone is a link and a name")
    func timeZone() async throws {
        let directory = try TemporaryDirectory(["zoneinfo/Europe/Berlin": "b", "zoneinfo/UTC": "u", "etc/x": ""])
        let zone = TimeZone("Europe/Berlin")
        let same = SameFile("/etc/localtime", "/usr/share/zoneinfo/Europe/Berlin")
        func moved(_ script: String) -> String {
            script.replacing("/usr/share/", with: directory.path + "/").replacing(
                "/etc/", with: directory.path + "/etc/")
        }
        func ask() async throws -> Bool {
            let output = try await ShellRun.of(moved(SameFile.script(for: [same]).reveal())).output
            return try SameFile.answers(to: [same], from: output) == [same: true]
        }
        var facts = facts(of: zone)
        for link in ["missing", "UTC"] {
            if link == "UTC" { _ = try await ShellRun.of(moved("ln -sf /usr/share/zoneinfo/UTC /etc/localtime")) }
            facts.record(try await ask(), to: same)
            let change = try only(zone.changes(given: facts, after: PendingEffects()))
            #expect(change.summary == "set time zone Europe/Berlin")
            let run = try await HostShell.run([
                Change("", script: .init(trusted: moved(change.script.reveal()), because: "a test runs it"))
            ])
            #expect(run == .silent)
            #expect(try await ask())
        }
        #expect(try directory.names == ["etc", "zoneinfo"])
        facts.record(true, to: same)
        #expect(try summaries(zone, facts).isEmpty)
        facts.record(false, to: SameFile("/etc/localtime", "/usr/share/zoneinfo/Europe/Berln"))
        let unknown = TimeZone("Europe/Berln")
        var others = self.facts(of: unknown)
        others.record(false, to: SameFile("/etc/localtime", "/usr/share/zoneinfo/Europe/Berln"))
        let run = try await HostShell.run(try unknown.changes(given: others, after: PendingEffects()))
        #expect(run.status == 1)
        #expect(run.output == "the host knows no time zone Europe/Berln\n")
    }

    @Test("hosts entries are a block of their own")
    func hosts() throws {
        let entries = HostsEntries("cluster", [.init("10.0.0.1", "pg1.lab", "pg1"), .init("10.0.0.2", "pg2")])
        var facts = Facts()
        facts.record(lines: ["127.0.0.1 localhost"], in: "/etc/hosts")
        let change = try only(entries.changes(given: facts, after: PendingEffects()))
        #expect(change.summary == "write cluster in /etc/hosts")
        #expect(
            change.diff?.text == [
                "@@ -1,1 +1,5 @@", " 127.0.0.1 localhost", "+# BEGIN drover cluster", "+10.0.0.1 pg1.lab pg1",
                "+10.0.0.2 pg2", "+# END drover cluster",
            ])
        facts.record(
            lines: ["# BEGIN drover cluster", "10.0.0.1 pg1.lab pg1", "10.0.0.2 pg2", "# END drover cluster", "x"],
            in: "/etc/hosts")
        #expect(try summaries(entries, facts).isEmpty)
        #expect(try summaries(HostsEntries("cluster", []), facts) == ["write cluster in /etc/hosts"])
    }
}

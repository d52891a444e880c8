public import Engine
import Secrets

/// Ensures that programs can use locales, and which one they use by default. Needs the package `locales`, of an earlier
/// play: it writes into the list of locales too.
///
///     Locales(["en_US.UTF-8", "de_DE.UTF-8"], default: "en_US.UTF-8")
public struct Locales: Resource {
    private let locales: [String]
    private let standard: String?

    /// - Parameters:
    ///   - locales: with their character sets, as in `/usr/share/i18n/SUPPORTED`: `de_DE.UTF-8`. The others stay.
    ///   - standard: what new sessions have for `LANG`; nil leaves it as it is.
    public init(_ locales: [String], default standard: String? = nil) {
        self.locales = locales
        self.standard = standard
    }

    public var name: String { "locales \(locales.joined(separator: " "))" }

    /// C.UTF-8 is always there.
    private var list: TextEdit {
        let rules = locales.filter { $0 != "C.UTF-8" }.map { locale in
            let set = locale.split(separator: ".").last?.prefix { $0 != "@" } ?? ""
            return KeyedLines.Rule(subject: "\(locale) \(set)", line: "\(locale) \(set)")
        }
        return TextEdit(
            path: "/etc/locale.gen", createsFile: true, summary: "write /etc/locale.gen",
            edit: KeyedLines(key: .entry, rules: rules).edited)
    }

    /// On Debian 13 the customary path is a link to the file that systemd reads.
    private static let customary = "/etc/default/locale"

    private func defaultFile(_ locale: String, at path: String) -> File {
        File(path, containing: MaskedText("LANG=\(locale)\n"))
    }

    public var questions: [any Fact] {
        list.questions + [GeneratedLocales()]
            + (standard.map { standard in
                ["/etc/locale.conf", Self.customary].flatMap { defaultFile(standard, at: $0).questions }
            } ?? [])
    }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        var changes = try list.changes(given: facts, after: pending)
        let generated = try facts[GeneratedLocales()]
        let missing = locales.filter { !generated.contains(GeneratedLocales.spelling(of: $0)) }
        if !missing.isEmpty {
            changes.append(
                Change(
                    "generate locale \(missing.joined(separator: " "))", .create,
                    script: "locale-gen --keep-existing >/dev/null",
                    mustFinish: true))
        }
        if let standard {
            let isLink = try facts[FileStatus(Self.customary)].map { $0.kind != .file } ?? false
            let file = defaultFile(standard, at: isLink ? "/etc/locale.conf" : Self.customary)
            changes += try file.changes(given: facts, after: pending)
        }
        return changes
    }
}

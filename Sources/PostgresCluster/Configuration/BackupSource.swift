import Diagnostics
import Inventory
import YAML

/// The backup of another cluster with which a new one begins.
public struct BackupSource: Sendable, Equatable {
    /// By which name the repository knows that cluster.
    public let stanza: String
    /// What pgBackRest is told besides: `--type=time`, `--target=…`.
    public let options: [String]
    /// The backup that is to be taken; nil for the one that fits.
    public let label: String?
    /// Up to which time; nil when the target is none.
    public let moment: Moment?

    /// Whether it goes to the end of the archive.
    var isWhole: Bool { !options.contains { $0.hasPrefix("--type=") } }
}

extension BackupSource {
    /// How a new cluster begins: `patroni_cluster_bootstrap_method`.
    enum Method: String, CaseIterable, YAMLDecodable {
        case initdb, pgbackrest
        case walG = "wal-g"
    }

    /// Reads a command as `pgbackrest_patroni_cluster_restore_command` has it:
    /// `/usr/bin/pgbackrest --stanza=other --type=time "--target=2026-11-22 15:04:05+01:00" --delta restore`.
    ///
    /// - Throws: `Diagnostic` for what it cannot be.
    init(command: String) throws {
        var values: [String: String] = [:]
        for word in BackupSource.words(of: command) {
            if word == "restore" || word == "--delta" || word.hasSuffix("pgbackrest") { continue }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            guard let form = BackupSource.forms.first(where: { $0.name == name }) else {
                throw Diagnostic(
                    "'\(word)' is no option with which a cluster begins",
                    remedy: Suggestion.remedy(for: name, among: BackupSource.forms.map(\.name))
                        ?? "leave it out: what else pgBackRest needs stands in its configuration")
            }
            let value = parts.count > 1 ? parts[1] : ""
            guard form.isFit(value) else { throw Diagnostic("'\(word)' cannot be '\(name)'", remedy: form.remedy) }
            guard values.updateValue(value, forKey: name) == nil else { throw Diagnostic("'\(name)' is there twice") }
        }
        guard let stanza = values["--stanza"] else {
            throw Diagnostic("nothing says whose backup it is", remedy: "write --stanza=NAME of the other cluster")
        }
        let type = values["--type"]
        if type == nil || type == "default" || type == "immediate" {
            guard values["--target"] == nil else {
                throw Diagnostic(
                    "--target means nothing without its type", remedy: "write --type=time, lsn, xid or name")
            }
        } else if values["--target"] == nil {
            throw Diagnostic("--type=\(type ?? "") wants a target", remedy: "write --target=…")
        }
        var moment: Moment?
        if type == "time", let target = values["--target"] {
            do { moment = try Moment(target) } catch {
                throw Diagnostic(
                    "'\(target)' is no moment with a zone", remedy: "write it like 2026-11-22 15:04:05+01:00")
            }
        }
        values["--target-action"] = type == nil || type == "default" ? nil : "promote"
        if type == "default" { values["--type"] = nil }
        self.init(
            stanza: stanza,
            options: values.filter { $0.key != "--stanza" }.sorted { $0.key < $1.key }.map {
                $0.value.isEmpty ? $0.key : "\($0.key)=\($0.value)"
            }, label: values["--set"], moment: moment)
    }

    /// Blanks within quotes do not part words.
    private static func words(of command: String) -> [String] {
        command.matches(of: /(?:[^\s"']|"[^"]*"|'[^']*')+/).map { match in
            String(match.output.filter { $0 != "\"" && $0 != "'" })
        }
    }

    private struct Form {
        let name: String
        let remedy: String
        let isFit: @Sendable (String) -> Bool
    }

    private static let forms = [
        Form(name: "--stanza", remedy: "write the name of the other cluster's stanza") {
            $0.wholeMatch(of: /[A-Za-z0-9_][A-Za-z0-9_.-]*/) != nil
        },
        Form(name: "--set", remedy: "write a label as `drover backup list` shows it") {
            $0.wholeMatch(of: /[0-9]{8}-[0-9]{6}F(_[0-9]{8}-[0-9]{6}[DI])?/) != nil
        },
        Form(name: "--type", remedy: "write time, lsn, xid, name, immediate or default") {
            ["time", "lsn", "xid", "name", "immediate", "default"].contains($0)
        },
        Form(name: "--target", remedy: "write one line of ASCII") { $0.wholeMatch(of: /[ -~]+/) != nil },
        Form(name: "--target-exclusive", remedy: "write it without a value") { $0.isEmpty },
        Form(name: "--target-timeline", remedy: "write a number, latest or current") {
            $0.wholeMatch(of: /[0-9]+|latest|current/) != nil
        },
        Form(name: "--target-action", remedy: "write promote: nobody is there to end a pause") { $0 == "promote" },
        Form(name: "--process-max", remedy: "write a number") { Int($0).map { (1...999).contains($0) } ?? false },
    ]
}

extension Variables {
    /// The backup with which a new cluster begins; nil when it begins with nothing.
    mutating func backupSource(with backups: ClusterConfiguration.Backups?, elsewhere: [String]) -> BackupSource? {
        let name = "pgbackrest_patroni_cluster_restore_command"
        let method: BackupSource.Method = optional("patroni_cluster_bootstrap_method") ?? .initdb
        ignore(name)
        guard method == .pgbackrest else { return nil }
        let command: String? = optional(name)
        let place = location(of: "patroni_cluster_bootstrap_method")
        reportBeginnings(besides: elsewhere, at: place)
        guard let backups else {
            diagnostics.report(
                "a cluster cannot begin with a backup of pgBackRest without pgBackRest", at: place,
                remedy: "set pgbackrest_install to true")
            return nil
        }
        guard let command else {
            diagnostics.report(
                "nothing says with whose backup the cluster begins", at: place,
                remedy: "write \(name): pgbackrest --stanza=OTHER restore")
            return nil
        }
        do {
            let source = try BackupSource(command: command)
            if source.stanza == backups.stanza {
                diagnostics.report(
                    "the cluster would write its own backups into the stanza '\(source.stanza)' with whose backup it begins",
                    at: location(of: "pgbackrest_stanza") ?? location(of: name),
                    remedy: "name another one with pgbackrest_stanza")
            }
            return source
        } catch let fault as Diagnostic {
            diagnostics.report(fault.message, at: location(of: name), remedy: fault.remedy)
        } catch {
            diagnostics.report("\(error)", at: location(of: name))
        }
        return nil
    }
}

import Diagnostics
import Inventory
import TestSupport
import Testing

@testable import PostgresCluster

/// 300 inventories with one mistake each: a misspelt name, a value of a wrong type, or a key where it does not belong.
@Suite("Mistakes in an inventory")
struct MutatedInventoryTests {
    private struct Mutant {
        /// The line of the inventory with the mistake in it.
        let line: String
        /// What the remedy or the message must name.
        let expected: String
    }

    /// Two letters of a name are swapped, or one is missing.
    private static func misspellings(of name: String) -> [String] {
        let letters = Array(name)
        return [letters.count / 2, letters.count / 3].enumerated().map { index, place in
            var wrong = letters
            if index == 0 { wrong.swapAt(place, place - 1) } else { wrong.remove(at: place) }
            return String(wrong)
        }
    }

    private static var misspelt: [Mutant] {
        let known = Set(VariableDescriptor.all.map(\.name))
        return VariableDescriptor.all.flatMap { descriptor in
            misspellings(of: descriptor.name).filter { !known.contains($0) && !ForeignVariables.isKnown($0) }.map {
                Mutant(line: "\($0): 1", expected: "'\(descriptor.name)'")
            }
        }
    }

    /// Settings of parts that are off are not judged.
    private static let gated = [
        "pgbackrest_", "wal_g_", "patroni_etcd_", "tls_names", "swap_file_", "limits_user",
        "firewall_additional_rules_for",
        "scheduler",
    ]

    private static var mistyped: [Mutant] {
        VariableDescriptor.all.filter { descriptor in
            !gated.contains(where: descriptor.name.hasPrefix) && !descriptor.type.contains("of one")
        }.compactMap { descriptor in
            let type = descriptor.type
            if type == "true or false" { return Mutant(line: "\(descriptor.name): perhaps", expected: "expected") }
            let isNumber = ["port", "seconds", "bytes", "number", "files", "MiB", "1 to"].contains(
                where: type.hasPrefix)
            if isNumber || type == "connections" {
                return Mutant(line: "\(descriptor.name): many", expected: "expected")
            }
            if type.hasPrefix("list") { return Mutant(line: "\(descriptor.name): 17", expected: "expected") }
            return nil
        }
    }

    private static let keys: [(variable: String, keys: [String])] = [
        ("postgresql_users", ["name", "password", "flags", "role"]),
        ("postgresql_databases", ["owner", "encoding", "lc_collate", "lc_ctype", "conn_limit"]),
        ("postgresql_schemas", ["schema", "owner"]),
        ("postgresql_extensions", ["schema", "version"]),
        ("postgresql_privs", ["role", "privs", "type", "objs", "schema", "target_roles"]),
        ("postgresql_pg_hba", ["type", "database", "user", "address", "method", "options"]),
        ("postgresql_parameters", ["option", "value"]),
        ("basebackup", ["option", "value"]),
        ("patroni_slots", ["slot", "type", "database", "plugin"]),
        ("pgbouncer_pools", ["name", "dbname", "pool_parameters"]),
        ("locale_gen", ["language_country", "encoding"]),
        ("haproxy_listen_port", ["master", "replicas", "stats"]),
        ("haproxy_maxconn", ["global", "master", "replica"]),
        ("haproxy_timeout", ["client", "server"]),
        ("patroni_standby_cluster", ["host", "port", "primary_slot_name"]),
    ]

    private static var misplaced: [Mutant] {
        keys.flatMap { variable, keys in
            let isMapping = ["haproxy_", "patroni_standby"].contains(where: variable.hasPrefix)
            return keys.flatMap { key in
                misspellings(of: key).filter { !keys.contains($0) }.prefix(1).map { wrong in
                    let inner = "{ \(wrong): 1 }"
                    return Mutant(line: "\(variable): \(isMapping ? inner : "[\(inner)]")", expected: "'\(key)'")
                }
            }
        }
    }

    @Test("are found where they are, nearly all with what was meant")
    func all() throws {
        let mutants = Self.misspelt.shuffledEvenly(Self.mistyped, Self.misplaced, count: 300)
        #expect(mutants.count == 300)
        var (passed, unplaced, unsuggested): ([String], [String], [String]) = ([], [], [])
        for mutant in mutants {
            let directory = try TemporaryDirectory(["hosts.yml": Sample.text(Sample.variables + [mutant.line])])
            let inventory = try Inventory.load(file: directory.path + "/hosts.yml")
            do {
                // As in the program, where other playbooks read variables of clusters, too.
                try Variables.$otherReaders.withValue(VariableReaders(BackupNow.reads)) {
                    _ = try ClusterConfiguration(inventory)
                }
                passed.append(mutant.line)
            } catch let faults as Diagnostics {
                // The variable stands on line 7.
                let there = faults.all.filter { $0.location?.line == 7 }
                if there.isEmpty { unplaced.append(mutant.line) }
                let words = there.map { "\($0.message) \($0.remedy ?? "")" }
                if !words.contains(where: { $0.contains(mutant.expected) }) {
                    unsuggested.append("\(mutant.line) → \(words)")
                }
            }
        }
        #expect(passed.isEmpty && unplaced.isEmpty, "passed: \(passed), without a place: \(unplaced)")
        #expect(unsuggested.count <= 20, "\(unsuggested.joined(separator: "\n"))")
    }
}

extension Array {
    /// These and all of the others, but only as many of these as make the count.
    fileprivate func shuffledEvenly(_ others: [Element]..., count: Int) -> [Element] {
        let rest = others.flatMap { $0 }
        return Array(prefix(Swift.max(0, count - rest.count))) + rest.prefix(count)
    }
}

import Diagnostics
import FoundationEssentials
import Glibc
import Inventory
import Testing
import YAML

/// `Expressions/hosts.yml` has variables with expressions; `values.json` is what ansible-core 2.19.14 makes of each.
@Suite("Expressions beside Ansible")
struct ExpressionGoldenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/Expressions"

    /// Where Drover refuses what Ansible takes, for a reason.
    private static let refused: Set = ["x688"]

    @Test("have the same values")
    func values() throws {
        setenv("EXPRESSION_TEST", "from outside", 1)
        let inventory = try Inventory.load(file: "\(Self.folder)/hosts.yml")
        let host = try inventory.host(named: "h1")
        let text = try TextFile.read("\(Self.folder)/values.json")
        guard case .mapping(let entries)? = try YAML.parse(text, file: "values.json")?.value else {
            Issue.record("values.json is no mapping")
            return
        }
        #expect(entries.count >= 500)
        var differences: [String] = []
        for entry in entries {
            guard let name = entry.key.text, let variable = host.variables[name],
                let expected = entry.value["value"], !Self.refused.contains(name)
            else { continue }
            let found = variable.faults.first.map { "fault: \($0.message)" } ?? variable.node.compared
            if found != expected.compared { differences.append("\(name): \(found), not \(expected.compared)") }
        }
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }
}

extension YAMLNode {
    /// With its type, so that `1` and `'1'` differ.
    fileprivate var compared: String {
        switch value {
        case .scalar(let text, plain: false): return "'\(text)'"
        case .scalar(let text, plain: true):
            if isNull { return "null" }
            return truth != nil || (try? Double(yaml: self)) != nil ? text : "'\(text)'"
        case .sequence(let elements): return "[" + elements.map(\.compared).joined(separator: ", ") + "]"
        case .mapping(let entries):
            return "{" + entries.map { "\($0.key.text ?? ""): \($0.value.compared)" }.sorted().joined(separator: ", ")
                + "}"
        }
    }
}

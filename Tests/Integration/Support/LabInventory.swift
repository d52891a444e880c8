import Foundation
import Testing

extension TestLab {
    /// An inventory with groups of its own.
    ///
    /// - Parameters:
    ///   - name: of its file.
    ///   - variables: lines beside those that all have.
    ///   - replacements: texts of those that all have, and what stands there instead.
    ///   - groups: in any order; those without hosts are left out.
    func inventory(
        named name: String, with variables: [String] = [], replacing replacements: [(String, String)] = [],
        groups: [(name: String, hosts: [String])]
    ) throws -> String {
        let all = try String(contentsOfFile: inventory, encoding: .utf8)
        var text = String(all[..<(try #require(all.range(of: "  children:\n")).lowerBound)])
        for (old, new) in replacements {
            try #require(text.contains(old))
            text = text.replacing(old, with: new)
        }
        text += variables.map { "    \($0)\n" }.joined() + "  children:\n"
        for group in groups where !group.hosts.isEmpty {
            text += "    \(group.name):\n      hosts:\n"
            text += group.hosts.map { "        \($0): { ansible_host: 10.70.0.1\($0.dropFirst(2)) }\n" }.joined()
        }
        let path = "\(folder)/\(name).yml"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}

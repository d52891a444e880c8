import FoundationEssentials
import Inventory
import Testing

/// The folders of `Golden/` are inventories; `arguments` is the command line, and `list.json` and `graph.txt` are what
/// ansible-inventory of ansible-core 2.19.14 printed for it.
@Suite("Inventory beside Ansible")
struct GoldenTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/Golden"

    private static let names: [String] =
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []

    private static func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name)")), as: UTF8.self)
    }

    private static func load(_ name: String) async throws -> Inventory {
        var sources: [String] = []
        var extra: [String] = []
        let words = try text("\(name)/arguments").split(whereSeparator: \.isWhitespace).map(String.init)
        for (option, value) in zip(words, words.dropFirst()) {
            if option == "-i" { sources.append(value.contains(",") ? value : "\(folder)/\(name)/\(value)") }
            if option == "-e" {
                extra.append(value.hasPrefix("@") ? "@\(folder)/\(name)/\(value.dropFirst())" : value)
            }
        }
        return try await Inventory.load(sources, extraVariables: extra)
    }

    @Test("has all cases")
    func cases() {
        #expect(Self.names.count >= 15)
    }

    @Test("lists the same", arguments: names)
    func list(name: String) async throws {
        let inventory = try await Self.load(name)
        let expected = try Self.text("\(name)/list.json").split(separator: "\n")
        let found = inventory.listing.split(separator: "\n")
        let difference = zip(found, expected).first { $0 != $1 }
        let isSame = found == expected
        #expect(isSame, "\(difference.map { "\($0.0) instead of \($0.1)" } ?? "another length")")
    }

    @Test("shows the same graph", arguments: names)
    func graph(name: String) async throws {
        #expect(try await Self.load(name).graph + "\n" == Self.text("\(name)/graph.txt"))
    }
}

import Foundation
import Testing

import Diagnostics
import Secrets
@testable import Templates

@Suite("Template context")
struct ContextTests {
    private struct Fraction: TemplateContext { var share = 0.5 }
    private struct Node: Codable { var children: [Node] = [] }
    private struct Tree: TemplateContext { var root = Node() }
    private enum Open: String, Codable { case one }
    private struct Closed: TemplateContext { var open = Open.one }
    private struct Bare: TemplateContext {}
    private struct Renamed: TemplateContext {
        enum CodingKeys: String, CodingKey { case maximum = "max_connections" }
        var maximum: UInt16? = 100
    }

    @Test("has the shape of its type")
    func shape() throws {
        let members = try Shape.members(of: Balancer.self)
        #expect(
            members == [
                "name": .text, "mode": .text, "tags": .list(.text), "ports": .list(.integer), "checked": .boolean,
                "servers": .list(.mapping(["name": .text, "port": .integer, "zone": .optional(.text)])),
                "vip": .optional(.text), "password": .secret, "token": .optional(.secret),
            ])
    }

    @Test("names its members by their coding keys")
    func codingKeys() throws {
        let text = "{% if max_connections is not none %}{{ max_connections }}{% endif %}"
        #expect(try Template(text, file: "t").render(Renamed()).description == "100")
    }

    @Test("that no template can use is refused")
    func refused() throws {
        func message(_ type: (some TemplateContext).Type) throws -> String {
            try #require(throws: Diagnostic.self) { try Template("", file: "t").check(for: type) }.description
        }
        #expect(
            try message(Fraction.self)
                == "a template's context cannot hold a fraction; hold a String with the digits that are wanted")
        #expect(try message(Tree.self) == "the type 'Array<Node>' of a template's context contains itself")
        #expect(
            try message(Closed.self)
                == "the type 'Open' of a template's context cannot be probed; conform it to CaseIterable, or hold a String"
        )
    }

    @Test("may be empty")
    func empty() throws {
        #expect(try Template("a\n", file: "t").render(Bare()).description == "a\n")
    }

    @Test("gives its secrets to nobody else")
    func leak() {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Balancer()) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([TemplateSecret].self, from: Data("[1]".utf8)) }
    }
}

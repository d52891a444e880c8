import Testing

import Diagnostics
import YAML

@Suite("YAML decode")
struct DecodeTests {
    private enum Mode: String, CaseIterable, YAMLDecodable { case synchronous, quorum, off }

    private struct Server: YAMLDecodable, Equatable {
        var name: String
        var port: Int
        var tags: [String]

        init(yaml node: YAMLNode) throws {
            var reader = try MappingReader(node, what: "a server")
            let name = reader.required("name", as: String.self)
            let tags = reader.required("tags", as: [String].self)
            port = reader.optional("port") ?? 5432
            (self.name, self.tags) = try reader.finish(name, tags)
        }
    }

    private static func value<Value: YAMLDecodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try Value(yaml: try #require(try YAML.parse(text, file: "f")))
    }

    private static func message<Value: YAMLDecodable>(_ type: Value.Type, _ text: String) -> String {
        do {
            return "\(try value(type, text))"
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "reads strings as they are written",
        arguments: [
            ("abc", "abc"), ("yes", "yes"), ("1.10", "1.10"), ("0644", "0644"), ("'~'", "~"), ("\"a\\nb\"", "a\nb"),
            ("~", "f:1:1: expected a string, found nothing; write '' for the empty one"),
            ("[a]", "f:1:1: expected a string, found a list"),
            ("!x a", "f:1:1: expected a string, found a value tagged '!x'"),
            ("!!int 1", "f:1:1: expected a string, found a value tagged '!!int'"),
        ])
    func strings(text: String, expected: String) { #expect(Self.message(String.self, text) == expected) }

    @Test(
        "reads whole numbers",
        arguments: [
            ("12", "12"), ("-1", "-1"), ("+1", "1"), ("0", "0"), ("0o644", "420"), ("0xff", "255"),
            (
                "0644",
                "f:1:1: expected a whole number, found the string '0644'; "
                    + "write 0o644 for octal digits, 644 for decimal ones"
            ),
            ("'12'", "12"), ("'012'", "f:1:1: expected a whole number, found the string '012'"),
            ("abc", "f:1:1: expected a whole number, found the string 'abc'"),
            ("1.5", "f:1:1: expected a whole number, found the number 1.5"),
            ("1_000", "f:1:1: expected a whole number, found the string '1_000'"),
            ("0o-7", "f:1:1: expected a whole number, found the string '0o-7'"),
            ("true", "f:1:1: expected a whole number, found true"),
            ("{a: 1}", "f:1:1: expected a whole number, found a mapping"),
            ("99999999999999999999", "f:1:1: expected a whole number, found the number 99999999999999999999"),
        ])
    func integers(text: String, expected: String) { #expect(Self.message(Int.self, text) == expected) }

    @Test(
        "reads numbers",
        arguments: [
            ("1.5", "1.5"), ("-2", "-2.0"), ("1e3", "1000.0"), (".5", "0.5"),
            ("nan", "f:1:1: expected a number, found the string 'nan'"),
            (".inf", "f:1:1: expected a number, found the string '.inf'"),
            ("'1.5'", "f:1:1: expected a number, found the string '1.5'"),
        ])
    func doubles(text: String, expected: String) { #expect(Self.message(Double.self, text) == expected) }

    @Test(
        "reads true and false, and what Ansible takes for them",
        arguments: [
            ("true", "true"), ("False", "false"),
            ("yes", "true"), ("Off", "false"), ("'true'", "true"), ("1", "true"), ("0", "false"), ("n", "false"),
            ("2", "f:1:1: expected true or false, found the number 2"),
            ("maybe", "f:1:1: expected true or false, found the string 'maybe'"),
            ("~", "f:1:1: expected true or false, found nothing"),
        ])
    func booleans(text: String, expected: String) { #expect(Self.message(Bool.self, text) == expected) }

    @Test("reads enumerations and optionals")
    func others() throws {
        #expect(try Self.value(Mode.self, "quorum") == .quorum)
        #expect(Self.message(Mode.self, "quorun") == "f:1:1: unknown value 'quorun'; did you mean 'quorum'?")
        #expect(
            Self.message(Mode.self, "xyzzy") == "f:1:1: unknown value 'xyzzy'; write one of synchronous, quorum, off")
        #expect(try Self.value([Int?].self, "[1, ~]") == [1, nil])
    }

    @Test("collects what is wrong in lists and mappings")
    func collections() {
        let expected =
            "f:1:2: expected a whole number, found the string 'a'\nf:1:8: expected a whole number, found true"
        #expect(Self.message([Int].self, "[a, 1, true]") == expected)
        #expect(
            Self.message([String: [Bool]].self, "a: [2]\nb: [true]\nc: 2")
                == "f:1:5: expected true or false, found the number 2\nf:3:4: expected a list, found the number 2")
        #expect(Self.message([String: Int].self, "[]") == "f:1:1: expected a mapping, found a list")
    }

    @Test("reads mappings by their keys")
    func mapping() throws {
        let server = try Self.value(Server.self, "{name: pg1, port: ~, tags: [a]}")
        #expect(server.name == "pg1" && server.port == 5432 && server.tags == ["a"])
    }

    @Test(
        "finds everything that is wrong in a mapping",
        arguments: [
            (
                "prot: 1\nport: x\ntags: [[]]\nfrobnicate: 2\n",
                "f:1:1: the key 'name' of a server is missing\n"
                    + "f:1:1: unknown key 'prot' in a server; did you mean 'port'?\n"
                    + "f:2:7: expected a whole number, found the string 'x'\n"
                    + "f:3:8: expected a string, found a list\n"
                    + "f:4:1: unknown key 'frobnicate' in a server; the keys are name, port, tags"
            ),
            ("- a\n", "f:1:1: expected a mapping for a server, found a list"),
        ])
    func mappingFaults(text: String, expected: String) { #expect(Self.message(Server.self, text) == expected) }
}

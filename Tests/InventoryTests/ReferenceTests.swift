import Diagnostics
import Inventory
import TestSupport
import Testing
import YAML

@Suite("References in values")
struct ReferenceTests {
    private static let hosts = """
        all:
          vars:
            name: demo
            ports: {http: 80, list: [1, 2]}
            key: http
            VARIABLE
          children:
            master: {hosts: {m.example.com: {address: 10.0.0.1}}}
            replica: {hosts: {r: {address: 10.0.0.2, ansible_host: "{{ address }}"}}}
            empty:
        """

    private static func load(_ variable: String) throws -> Inventory {
        let directory = try TemporaryDirectory(["hosts.yml": hosts.replacing("VARIABLE", with: variable)])
        do {
            return try Inventory.load(file: "\(directory.path)/hosts.yml")
        } catch {
            throw Diagnostic(directory.shortened(error.description))
        }
    }

    private static let values: [(variable: String, ofFirst: String, ofSecond: String)] = [
        ("x: '{{ name }}'", "\"demo\"", "\"demo\""),
        ("x: '{{name}}-{{ ports.http }}'", "\"demo-80\"", "\"demo-80\""),
        ("x: '{{ ports }}'", "{ \"http\": 80, \"list\": [ 1, 2 ] }", "{ \"http\": 80, \"list\": [ 1, 2 ] }"),
        ("x: [\"{{ ports['list'][1] }}\", {k: '{{ ports.list[-1] }}'}]", "[ 2, { \"k\": 2 } ]", "[ 2, { \"k\": 2 } ]"),
        ("x: '{{ ports[key] }}'", "80", "80"),
        ("x: '{{ address }}'", "\"10.0.0.1\"", "\"10.0.0.2\""),
        ("x: \"{{ hostvars['r'].address }}\"", "\"10.0.0.2\"", "\"10.0.0.2\""),
        ("x: \"{{ hostvars['r']['ansible_host'] }}\"", "\"10.0.0.2\"", "\"10.0.0.2\""),
        ("x: \"{{ hostvars[groups['master'][0]]['address'] }}\"", "\"10.0.0.1\"", "\"10.0.0.1\""),
        ("x: '{{ hostvars[inventory_hostname].address }}'", "\"10.0.0.1\"", "\"10.0.0.2\""),
        ("x: '{{ inventory_hostname_short }}'", "\"m\"", "\"r\""),
        ("x: '{{ group_names[0] }}'", "\"master\"", "\"replica\""),
        ("x: '{{ groups.all }}'", "[ \"m.example.com\", \"r\" ]", "[ \"m.example.com\", \"r\" ]"),
        ("x: '{{ groups.empty }}'", "[]", "[]"),
        ("x: 'no { reference } here'", "\"no { reference } here\"", "\"no { reference } here\""),
        ("x: '{{ y }}'\n    y: '{{ name }}'", "\"demo\"", "\"demo\""),
    ]

    @Test("stand for what they name", arguments: values)
    func resolves(variable: String, ofFirst: String, ofSecond: String) throws {
        let inventory = try Self.load(variable)
        let shown = inventory.hosts.map { host in
            host.listing.split(separator: "\n").first { $0.hasPrefix("  x: ") } ?? ""
        }
        #expect(shown[0].hasPrefix("  x: \(ofFirst)  ") && shown[1].hasPrefix("  x: \(ofSecond)  "), "\(shown)")
        #expect(inventory.hosts[1].address == "10.0.0.2")
    }

    private static let faults: [(variable: String, expected: String)] = [
        (
            "x: '{{ name | frobnicate }}'",
            "'{{ name | frobnicate }}': the filter 'frobnicate' is not known here; write the value itself"
        ),
        (
            "x: '{{ name | uper }}'",
            "'{{ name | uper }}': the filter 'uper' is not known here; did you mean 'upper'?"
        ),
        ("x: '{{ name. }}'", "the Jinja expression '{{ name. }}' is not understood: a name is missing after '.'"),
        ("x: '{{ 1 +  }}'", "the Jinja expression '{{ 1 + }}' is not understood: something is missing at its end"),
        ("x: '{{ }}'", "the Jinja expression '{{  }}' is not understood: there is no expression"),
        ("x: '{{ name + 1 }}'", "'{{ name + 1 }}': '+' takes numbers, not a text; make a number of it by '| int'"),
        ("x: '{{ 1 / 0 }}'", "'{{ 1 / 0 }}': nothing can be divided by 0"),
        (
            "x: \"{{ lookup('pipe', 'id') }}\"",
            "'{{ lookup('pipe', 'id') }}': the lookup 'pipe' is not known here; "
                + "use 'env' or 'file', or take a secret from outside by '!command ARGV'"
        ),
        (
            "x: '{% for a in b %}'",
            "the Jinja statement '{% for a in b %}' is not evaluated here; "
                + "write the value itself; '{% if %}' and expressions in '{{ }}' are evaluated"
        ),
        ("x: '{% if name %}a'", "a '{% if %}' is not closed; write '{% endif %}' after it"),
        ("x: '{{ name'", "a '{{' is not closed; write '}}' after the expression"),
        ("x: '{# no'", "a '{#' is not closed; write '#}' after the expression"),
        ("x: '{{ nmae }}'", "'{{ nmae }}': the variable 'nmae' is not set for 'm.example.com'; did you mean 'name'?"),
        (
            "x: '{{ ansible_mounts }}'",
            "'{{ ansible_mounts }}': the variable 'ansible_mounts' is not set for 'm.example.com'; "
                + "Drover does not ask hosts for this fact: write the value itself"
        ),
        ("x: '{{ ports.https }}'", "'{{ ports.https }}' stands for nothing; there is no such element"),
        ("x: '{{ groups.empty[0] }}'", "'{{ groups.empty[0] }}' stands for nothing; there is no such element"),
        ("x: '{{ groups.mastr }}'", "'{{ groups.mastr }}': no group is named 'mastr'; did you mean 'master'?"),
        ("x: '{{ hostvars.q.y }}'", "'{{ hostvars.q.y }}': no host is named 'q'; did you mean 'r'?"),
        ("x: '{{ hostvars }}'", "'{{ hostvars }}' is no value; name the variable: hostvars['host']['name']"),
        (
            "x: 'a {{ ports }}'",
            "'{{ ports }}' is a mapping, which cannot stand within a text; let the reference stand alone"
        ),
        ("x: '{{ x }}'", "'x' refers to itself: x → x"),
    ]

    /// What those are told who ask for a variable. Who does not has nothing to do with it.
    private static func fault(_ variables: String, of name: String = "x") throws -> String {
        let inventory = try load(variables)
        #expect(["{{", "{%", "{#"].contains(where: inventory.listing.contains), "shown as it is written")
        var asked = Variables(of: inventory)
        let value: YAMLNode? = asked.optional(name, of: inventory.hosts[0])
        #expect(value == nil)
        let again: YAMLNode? = asked.optional(name, of: inventory.hosts[1])
        #expect(again == nil)
        // For two hosts, but it is one fault.
        let fault = try #require(asked.diagnostics.all.first)
        #expect(asked.diagnostics.all.count == 1)
        let place = try #require(fault.location)
        return "\(place.line):\(place.column): \(fault.message)" + (fault.remedy.map { "; \($0)" } ?? "")
    }

    @Test("are refused when they are more, or name nothing, and somebody asks", arguments: faults)
    func refuses(variable: String, expected: String) throws {
        #expect(try Self.fault(variable) == "6:8: \(expected)")
    }

    @Test("to what has no value have none either; a connection cannot do without")
    func passedOn() throws {
        let wrong = "y: '{{ z | int }}'\n    x: '{{ y }}'"
        #expect(try Self.fault(wrong).hasPrefix("6:8: '{{ z | int }}': the variable 'z' is not set"))
        #expect(throws: Diagnostic.self) { try Self.load(wrong + "\n    ansible_port: '{{ x }}'") }
    }

    @Test("may not go in circles, and not grow without end")
    func circles() throws {
        let circle = try Self.fault("x: '{{ y }}'\n    y: ['{{ hostvars.r.x }}']")
        #expect(circle.contains("'x' refers to itself: x → y → x"), "\(circle)")
        let doubling = (1...40).map { "d\($0): ['{{ d\($0 + 1) }}', '{{ d\($0 + 1) }}']" } + ["d41: 1"]
        let growth = try Self.fault(doubling.joined(separator: "\n    "), of: "d1")
        #expect(growth.contains("larger than 1000000 values"))
        let texts = (1...40).map { "d\($0): '{{ d\($0 + 1) }}{{ d\($0 + 1) }}'" } + ["d41: abc"]
        let text = try Self.fault(texts.joined(separator: "\n    "), of: "d1")
        #expect(text.contains("longer than 1000000 bytes"))
    }

    @Test("to a secret from outside stay one")
    func secrets() async throws {
        let inventory = try await Self.load("x: '{{ y }}'\n    y: !command echo hidden").resolvingSecrets()
        #expect(try #require(inventory.hosts[0].variables["x"]).node.text == "hidden")
        #expect(try Self.fault("x: 'a {{ y }}'\n    y: !env HOME").contains("which cannot stand within a text"))
    }
}

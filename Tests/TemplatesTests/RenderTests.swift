import Testing

import Diagnostics
import Secrets
import Templates

/// The context of the tests' templates.
struct Balancer: TemplateContext {
    enum Mode: String, Codable, CaseIterable { case tcp, http }
    struct Server: Codable {
        var name: String
        var port: Int
        var zone: String?
    }

    var name = "lb1"
    var mode = Mode.tcp
    var servers = [Server(name: "pg1", port: 5432, zone: "a"), Server(name: "pg2", port: 5433)]
    var tags = ["x", "y"]
    var ports: [Int] = []
    var checked = true
    var vip: String?
    @TemplateSecret var password = Secret("it's")
    var token: TemplateSecret?
}

@Suite("Template renders")
struct RenderTests {
    @Test(
        "expressions",
        arguments: [
            ("{{ name }}:{{servers | length}}", "lb1:2"),
            ("{{ mode }} {{ checked }} {{ 12 }} {{ 'a\\'b\\n' }}", "tcp true 12 a'b\n"),
            ("{{ tags | join(', ') | upper | line }} {{ 'Ab' | lower }}", "X, Y ab"),
            ("{{ tags | join(',') }}", "x,y"),
            ("{{ 'a\\n' | quote }}", "'a\n'"),
            ("{{ \"it's\" | quote }}", "'it''s'"),
            ("{{ \"'\u{301}x\" | quote }}", "'''\u{301}x'"),
            ("  {{ 'a\\n\\nb' | indent(2) }}", "  a\n\n  b"),
            ("{{ name == 'lb1' and not (checked == false) or vip is not none }}", "true"),
            ("{{ servers | length > 1 }} {{ 2 <= 1 }} {{ 'a' < 'b' }} {{ 1 != 1 }}", "true false true false"),
            ("{{ 'x' in tags }} {{ 'z' not in tags }} {{ 1 in ports }}", "true true false"),
            ("{{ vip is none }} {{ vip is not none and vip == 'x' }}", "true false"),
            ("a {# comment {{ name }} #}b { } {x} é", "a b { } {x} é"),
        ])
    func expressions(text: String, expected: String) throws {
        #expect(try Template(text, file: "t").render(Balancer()).description == expected)
    }

    @Test(
        "blocks, of which those alone on their line leave nothing",
        arguments: [
            ("a\n  {% if checked %}\n  b\n  {% endif %}\nc\n", "a\n  b\nc\n"),
            ("a\n{% if not checked %}\nb\n{% elif name == 'lb1' %}\nc\n{% else %}\nd\n{% endif %}", "a\nc\n"),
            ("a{% if checked %} b{% endif %}\nc\n", "a b\nc\n"),
            (
                "{% for s in servers %}\n{{ loop.index }} {{ s.name }}{% if not loop.last %},{% endif %}\n{% endfor %}\n",
                "1 pg1,\n2 pg2\n"
            ),
            ("{% for s in servers %}{{ s.name }}{% if loop.first %} {% endif %}{% endfor %}", "pg1 pg2"),
            ("{% if checked %}{# why #} {% for t in tags %}\n{{ t }}\n{% endfor %}{% endif %}\nz", "x\ny\nz"),
            ("{# one\n two #}\na\r\n{% if checked %}\r\nb\r\n{% endif %}\r\n", "a\r\nb\r\n"),
            ("a\n  {%- if checked %} b {%- endif %}\n\n{{- name -}}\n z", "a blb1z"),
            ("[\n{%- for t in tags -%}\n  {{ t }}\n{%- endfor -%}\n]", "[xy]"),
            ("{% for s in servers %}{% if s.zone is not none %}{{ s.zone }}{% else %}-{% endif %}{% endfor %}", "a-"),
        ])
    func blocks(text: String, expected: String) throws {
        #expect(try Template(text, file: "t").render(Balancer()).description == expected)
    }

    @Test(
        "a text as it is only if it is one word, and as a line only if it is one",
        arguments: [
            "", "a b", "a\tb", "a;b", "#a", "a'b", "a\"b", "a\\b", "$a", "`a`", "a&b", "a|b", "-rf", "{a}", "[a]", "a*",
            "~a",
            "a\nb", "a\u{a0}b", "a\u{2028}b", "a'\u{301}",
        ])
    func words(hostile: String) throws {
        var context = Balancer()
        context.name = hostile
        let refusal = #expect(throws: Diagnostic.self) {
            try Template("x {{ name | upper }}", file: "t").render(context)
        }
        #expect(refusal?.description.hasPrefix("t:1:6: the value of 'name' is not one word; write '| quote'") == true)
        let hasBreak = hostile.contains("\n") || hostile.contains("\u{2028}")
        #expect(
            (try? Template("{{ name | line }}", file: "t").render(context).description) == (hasBreak ? nil : hostile))
        #expect(try Template("{{ name | quote }}", file: "t").render(context).description.hasPrefix("'"))
    }

    @Test("words of any language, addresses and paths", arguments: ["é1", "/a_b/c.d", "10.0.0.1:80"])
    func plain(text: String) throws {
        var context = Balancer()
        context.name = text
        #expect(try Template("{{ name }}", file: "t").render(context).description == text)
    }

    @Test("no secret that would begin a line of its own")
    func secretLine() throws {
        var context = Balancer()
        context.password = Secret("a\nb")
        let refusal = #expect(throws: Diagnostic.self) { try Template("{{ password }}", file: "t").render(context) }
        #expect(refusal?.description.contains("the value of 'password' is not one line") == true)
    }

    @Test("secrets as secrets")
    func secrets() throws {
        let template = try Template(
            "{{ name }} {{ password | quote }}{% if token is not none %} {{ token }}{% endif %}\n", file: "t")
        var context = Balancer()
        context.token = TemplateSecret(wrappedValue: Secret("t0ken"))
        let text = try template.render(context)
        #expect(text.description == "lb1 ‹secret› ‹secret›\n")
        #expect(text.reveal() == "lb1 'it''s' t0ken\n")
    }
}

import Testing

import Diagnostics
import Secrets
import Templates
import TestSupport

@Suite("Template check")
struct CheckTests {
    @Test(
        "finds what is wrong in the syntax, all at once",
        arguments: [
            ("{{ name", "t:1:1: '{{' is never closed; write '}}'"),
            (
                "a\n{% if checked }}\nb",
                "t:2:15: '{%' is closed wrongly; write '%}'\nt:2:1: '{% if %}' is never closed; write '{% endif %}'"
            ),
            ("{# a", "t:1:1: '{#' is never closed; write '#}' after the comment"),
            (
                "{{ 'a }}",
                "t:1:4: the string is never closed; write ' after it\nt:1:1: '{{' is never closed; write '}}'"
            ),
            ("{{ '\\q' }}", #"t:1:6: unknown escape '\q'; write one of \n, \t, \\, \' and \""#),
            (
                "{{ a + b }}\n{{ 1x }}",
                "t:1:6: unexpected '+'\nt:2:4: '1x' is neither a name nor a whole number"
            ),
            ("{{ }}{{ a b }}", "t:1:1: expected an expression\nt:1:11: unexpected 'b'"),
            ("{{ (a }}{{ a. }}", "t:1:1: expected ')' at the end\nt:1:9: expected a name after '.' at the end"),
            ("{{ a == none }}", "t:1:9: 'none' is no value to compare with; write 'x is none'"),
            (
                "{{ a is defined }}",
                "t:1:9: unknown test after 'is'; write 'is none' or 'is not none'; every name is defined"
            ),
            (
                "{{ a | uper }}{{ a | default('b') }}",
                "t:1:8: unknown filter 'uper'; did you mean 'upper'?\n"
                    + "t:1:22: unknown filter 'default'; the filters are indent, join, length, line, lower, quote, upper"
            ),
            (
                "{{ a | join }}{{ a | indent('x') }}",
                "t:1:8: 'join' needs a string; write join(',')\n"
                    + "t:1:22: 'indent' needs a number of blanks; write indent(4)"
            ),
            (
                "{% set a = 1 %}{% fro x in y %}",
                "t:1:4: unknown tag 'set'; the tags are for, endfor, if, elif, else, endif\n"
                    + "t:1:10: unexpected '='\nt:1:19: unknown tag 'fro'; did you mean 'for'?"
            ),
            ("{% %}", "t:1:1: expected 'for', 'if' or what ends them"),
            ("{% for if in a %}{% endfor %}", "t:1:8: expected the name of an element, found 'if'"),
            ("{% for a of b %}{% endfor %}", "t:1:10: expected 'in', found 'of'"),
            (
                "{% if a %}\n{% for b in c %}\n{% endif %}",
                "t:3:1: found '{% endif %}' in the '{% for %}' of line 2; write '{% endfor %}' first\n"
                    + "t:2:1: '{% for %}' is never closed; write '{% endfor %}'\n"
                    + "t:1:1: '{% if %}' is never closed; write '{% endif %}'"
            ),
            (
                "a\n {% endif %}\n{% else x %}",
                "t:2:2: '{% endif %}' belongs to nothing that is open\nt:3:1: '{% else %}' belongs to nothing that is open"
            ),
            ("{% if a %}{% else b %}{% endif c %}", "t:1:19: unexpected 'b'\nt:1:32: unexpected 'c'"),
        ])
    func syntax(text: String, expected: String) throws {
        let diagnostics = try #require(throws: Diagnostics.self) { try Template(text, file: "t") }
        let lines = Set(expected.split(separator: "\n"))
        #expect(Set(diagnostics.description.split(separator: "\n")) == lines, "\(diagnostics)")
    }

    @Test(
        "finds every misused name, also in branches that are not taken",
        arguments: [
            (
                "a\n  {{ nme }}{{ xyzzy }}",
                "t:2:6: undefined name 'nme'; did you mean 'name'?\nt:2:15: undefined name 'xyzzy'"
            ),
            (
                "{% if false %}{{ servrs }}{% else %}{{ vipp }}{% endif %}",
                "t:1:18: undefined name 'servrs'; did you mean 'servers'?\nt:1:40: undefined name 'vipp'; did you mean 'vip'?"
            ),
            (
                "{% for s in servers %}{{ s.nam }}{% endfor %}{{ s.name }}",
                "t:1:28: undefined name 'nam'; did you mean 'name'?\nt:1:49: undefined name 's'"
            ),
            ("{% for p in ports %}{{ p.x }}{% endfor %}", "t:1:26: a whole number has no 'x'"),
            ("{{ loop.index }}", "t:1:4: undefined name 'loop'"),
            ("{% for name in tags %}{% endfor %}", "t:1:8: the name 'name' is taken; name the element differently"),
            ("{% for n in name %}{{ zzz }}{% endfor %}", "t:1:13: expected a list, found a string"),
            ("{{ tags }}", "t:1:4: a list cannot be printed as it is; write '| join(',')'"),
            (
                "{% for s in servers %}{{ s }}{% endfor %}",
                "t:1:26: a mapping cannot be printed as it is; name one of its members: name, port, zone"
            ),
            ("{{ vip }}", "t:1:4: 'vip' may be none here; put '{% if vip is not none %}' around it"),
            (
                "{% if vip is none or checked %}{{ vip }}{% endif %}",
                "t:1:35: 'vip' may be none here; put '{% if vip is not none %}' around it"
            ),
            ("{% if vip is none %}{% else %}{{ vip }}{% endif %}", ""),
            ("{% if not (vip is none) and vip != '' %}{{ vip }}{% endif %}", ""),
            ("{% if vip is none %}{% elif vip == '' %}{{ vip }}{% endif %}", ""),
            ("{{ name is none }}", "t:1:4: 'name' is never none here"),
            (
                "{% if servers %}{% endif %}{% if name %}{% endif %}",
                "t:1:7: expected true or false, found a list; write '| length > 0'\n"
                    + "t:1:34: expected true or false, found a string"
            ),
            ("{{ name == 1 }}", "t:1:4: cannot compare a string with a whole number by '=='"),
            ("{{ checked < true }}", "t:1:4: cannot compare true or false with true or false by '<'"),
            ("{{ password == 'x' }}", "t:1:4: cannot compare a secret with a string by '=='"),
            ("{{ password | upper }}", "t:1:4: cannot use 'upper' on a secret"),
            (
                "{{ 1 in tags }}{{ 'a' in name }}",
                "t:1:4: cannot look for a whole number in a list\nt:1:19: cannot look for a string in a string"
            ),
            ("{{ servers | join(',') }}", "t:1:4: cannot use 'join' on a list"),
        ])
    func names(text: String, expected: String) throws {
        let template = try Template(text, file: "t")
        do {
            try template.check(for: Balancer.self)
            #expect(expected == "")
        } catch let diagnostics as Diagnostics {
            #expect(diagnostics.description == expected)
        }
    }

    @Test("happens before rendering")
    func rendering() throws {
        let template = try Template("{% if false %}{{ nme }}{% endif %}", file: "t")
        #expect(throws: Diagnostics.self) { try template.render(Balancer()) }
    }

    @Test("is made when a file is read")
    func files() throws {
        let directory = try TemporaryDirectory(["good": "{{ word }}\n", "wrong": "{{ wrd }}\n"])
        #expect(try TemplateFile<Word>("\(directory.path)/good").render(Word(word: "a")).reveal() == "a\n")
        for (file, message) in [
            ("wrong", "wrong:1:4: undefined name 'wrd'; did you mean 'word'?"),
            ("missing", "cannot read 'missing': No such file or directory"),
        ] {
            let error = #expect(throws: (any Error).self) { try TemplateFile<Word>("\(directory.path)/\(file)") }
            #expect(directory.shortened(error.map { "\($0)" } ?? "") == message)
        }
    }

    private struct Word: TemplateContext {
        let word: String
    }
}

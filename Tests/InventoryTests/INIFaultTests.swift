import Diagnostics
import Inventory
import TestSupport
import Testing
import YAML

@Suite("INI inventory refuses")
struct INIFaultTests {
    private static let cases: [(text: String, expected: String)] = [
        ("h1 x\n", "hosts:1:4: 'x' sets no variable; write NAME=VALUE without blanks"),
        (
            "h1 x =1\n",
            "hosts:1:4: 'x' sets no variable; write NAME=VALUE without blanks\n"
                + "hosts:1:6: '' is no name of a variable; use letters, digits and '_'"
        ),
        ("\n  h1 a='b\n", "hosts:2:3: a quote is not closed in this line"),
        ("h1 a=b\\\n", "hosts:1:1: nothing follows the '\\' at the end"),
        ("h[1 x=2\n", "hosts:1:1: 'h[1' has a '[' without a ']'"),
        (
            "-oProxyCommand=x\n",
            "hosts:1:1: '-oProxyCommand=x' is no name of a host; use letters, digits, '-' and '.'"
        ),
        ("h1 ansible_prot=22\n", "hosts:1:4: unknown connection variable 'ansible_prot'; did you mean 'ansible_port'?"),
        ("h1 ansible_port=x\n", "hosts:1:17: expected a whole number, found the string 'x'"),
        ("h1:99999\n", "hosts:1:1: the port 99999 is not between 1 and 65535"),
        ("[a b]\nskipped = 1\n", "hosts:1:1: '[a b]' is no heading; write [GROUP], [GROUP:vars] or [GROUP:children]"),
        ("[a:var]\nskipped = 1\n", "hosts:1:1: 'var' is no kind of a section; did you mean 'vars'?"),
        (
            "[web]\nh1\n[wbe:vars]\nx=1\n",
            "hosts:3:1: [wbe:vars] names the group 'wbe', which is not declared; did you mean 'web'?"
        ),
        (
            "[top:children]\nmissing # here\n",
            "hosts:2:1: [top:children] names the group 'missing', which is not declared; "
                + "write a [missing] with its hosts"
        ),
        (
            "[a:children]\na\nall\nb c\n",
            "hosts:2:1: 'a' cannot be below 'a'\nhosts:3:1: 'all' cannot be below 'a'\n"
                + "hosts:4:1: 'b c' is no name of a group; use letters, digits and '_'"
        ),
        ("[a:children]\nb\n[b:children]\na\n", "hosts:1:1: the group 'a' contains itself: a → b → a"),
        (
            "h1\n[all:vars]\nx\n2x=1\n",
            "hosts:3:1: this line sets no variable; write NAME=VALUE\n"
                + "hosts:4:1: '2x' is no name of a variable; use letters, digits and '_'"
        ),
        (
            "[a]\nh1 x=1\n[b]\nh1 x=2\n[a:vars]\ny=1\ny=2\n",
            "hosts:4:4: 'x' of host h1 is set to something else at hosts:2:4; keep one of them\n"
                + "hosts:7:1: 'y' of group a is set to something else at hosts:6:1; keep one of them"
        ),
        ("h1 x=\u{0}\n", "hosts:1:1: the line holds a NUL; take it out"),
        (
            "h1 ansible_group_priority=1\n",
            "hosts:1:4: 'ansible_group_priority' means nothing here; "
                + "write it under the vars of a group, in the inventory itself"
        ),
        ("# nothing\n", "the inventory 'hosts' names no hosts; write one name a line"),
    ]

    @Test("what is wrong", arguments: cases)
    func faults(text: String, expected: String) throws {
        let directory = try TemporaryDirectory(["hosts": text])
        let diagnostics = try #require(throws: Diagnostics.self) {
            try Inventory.load(file: "\(directory.path)/hosts")
        }
        #expect(directory.shortened(diagnostics.description) == expected)
    }

    @Test("values that a type does not take, but takes what looks right")
    func types() throws {
        let directory = try TemporaryDirectory([
            "hosts": "h1 ansible_port=\"'22'\" flag=true wrong=maybe text=22\n[all:vars]\nansible_user='root'\n"
        ])
        let host = try Inventory.load(file: "\(directory.path)/hosts").hosts[0]
        #expect(host.port == 22 && host.user == "root")
        let flag = try #require(host.variables["flag"]).node
        let text = try #require(host.variables["text"]).node
        let wrong = try #require(host.variables["wrong"]).node
        #expect(try Bool(yaml: flag) && String(yaml: flag) == "true" && String(yaml: text) == "22")
        let error = try #require(throws: Diagnostic.self) { try Bool(yaml: wrong) }
        #expect(
            directory.shortened(error.description)
                == "hosts:1:40: expected true or false, found the string 'maybe'")
    }
}

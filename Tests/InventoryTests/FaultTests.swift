import Testing

import Diagnostics
import FoundationEssentials
import Inventory
import TestSupport

@Suite("Inventory refuses")
struct FaultTests {
    private static func faults(_ files: [String: String], extra: [String] = []) throws -> String {
        let directory = try TemporaryDirectory(files)
        let diagnostics = try #require(throws: Diagnostics.self) {
            try Inventory.load(file: "\(directory.path)/hosts.yml", extraVariables: extra)
        }
        return directory.shortened(diagnostics.description)
    }

    private static let inFile: [(text: String, expected: String)] = [
        ("", "the inventory 'hosts.yml' names no hosts; begin with 'all:'"),
        ("- a\n", "hosts.yml:1:1: expected a mapping of groups, found a list; begin with 'all:'"),
        (
            "a: {host: {h: }, xyzzy: 1}\n",
            "hosts.yml:1:5: unknown key 'host' in the group 'a'; did you mean 'hosts'?\n"
                + "hosts.yml:1:18: unknown key 'xyzzy' in the group 'a'; "
                + "a group has 'hosts', 'children' and 'vars'; groups stand below 'children'"
        ),
        (
            "a:\n  hosts: [h1, h2]\n",
            "hosts.yml:2:10: expected a mapping of hosts, found a list; "
                + "write each on a line of its own with a colon: 'name:'"
        ),
        (
            "a: {children: b, vars: [x]}\n",
            "hosts.yml:1:15: expected a mapping of groups, found the string 'b'; "
                + "write each on a line of its own with a colon: 'name:'\n"
                + "hosts.yml:1:24: expected variables, found a list; write each as 'name: value'"
        ),
        (
            "a: 1\nb: {hosts: {h: x}}\n",
            "hosts.yml:1:4: expected a mapping of 'hosts', 'children' or 'vars', found the number 1\n"
                + "hosts.yml:2:16: expected variables, found the string 'x'; write each as 'name: value'"
        ),
        ("a:\n  hosts:\n    h1:\n    h1:\n", "hosts.yml:4:5: duplicate key 'h1'; it is already on line 3"),
        (
            "a b: {}\n-x: {}\n",
            "hosts.yml:1:1: 'a b' is no name of a group; use letters, digits and '_'\n"
                + "hosts.yml:2:1: '-x' is no name of a group; use letters, digits and '_'"
        ),
        (
            "a: {hosts: {-oProxyCommand=x: , 'h:x': , h_1: , 'db[01:100]': }}\n",
            "hosts.yml:1:13: '-oProxyCommand=x' is no name of a host; use letters, digits, '-' and '.'\n"
                + "hosts.yml:1:33: 'h:x' is no name of a host; write NAME:PORT, or an IPv6 address with a port as [ADDRESS]:PORT\n"
                + "hosts.yml:1:49: the ends of '[01:100]' differ in width; write [001:100]"
        ),
        (
            "h: {hosts: {h: }}\n",
            "hosts.yml:1:13: the host 'h' has the name of a group; the group is at hosts.yml:1:1"
        ),
        (
            "a: {children: {a: }}\nb: {children: {all: }}\n",
            "hosts.yml:1:16: 'a' cannot be below 'a'\nhosts.yml:2:16: 'all' cannot be below 'b'"
        ),
        ("a: {children: {b: }}\nb: {children: {a: }}\n", "hosts.yml:1:1: the group 'a' contains itself: a → b → a"),
        (
            "a: {children: {b: }}\nb: {children: {c: }}\nc: {children: {b: }}\n",
            "hosts.yml:1:16: the group 'b' contains itself: b → c → b"
        ),
        (
            "a: {hosts: {h: {x: 1}}}\nb: {hosts: {h: {x: 2}}}\n",
            "hosts.yml:2:17: 'x' of host h is set to something else at hosts.yml:1:17; keep one of them"
        ),
        (
            "a: {vars: {x-y: 1, 2x: 1}}\n",
            "hosts.yml:1:12: 'x-y' is no name of a variable; use letters, digits and '_'\n"
                + "hosts.yml:1:20: '2x' is no name of a variable; use letters, digits and '_'"
        ),
        (
            "a:\n  vars:\n    x: !envv HOME\n    y: !vault abc\n    z: !!str 1\n    w: !env\n    v: !command {}\n",
            "hosts.yml:3:8: unknown tag '!envv'; did you mean '!env'?\n"
                + "hosts.yml:4:8: this is no text of ansible-vault, which begins with '$ANSIBLE_VAULT;1.1;AES256'\n"
                + "hosts.yml:5:8: unknown tag '!!str'; the tags are !env, !file, !command, !vault\n"
                + "hosts.yml:6:8: '!env' needs the name of an environment variable\n"
                + "hosts.yml:7:8: '!command' needs a program and its arguments"
        ),
    ]

    @Test(
        "a link to a folder that was read is told once, whatever it would multiply",
        arguments: ["group_vars/all/loop", "group_vars/all/in/up", "host_vars/h/loop"])
    func loops(link: String) throws {
        let directory = try TemporaryDirectory([
            "hosts.yml": "all: {hosts: {h: }}", "group_vars/all/a.yml": "x: 1", "group_vars/all/in/b.yml": "y: 1",
            "host_vars/h/a.yml": "z: 1",
        ])
        for name in [link, link + "2"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(directory.path)/\(name)", withDestinationPath: name.contains("up") ? ".." : ".")
        }
        let faults = try #require(throws: Diagnostics.self) {
            try Inventory.load(file: "\(directory.path)/hosts.yml")
        }
        #expect(faults.all.count == 2)
        #expect(faults.all.allSatisfy { $0.message.contains(" again") })
    }

    @Test("a directory of inventories that leads into itself is told")
    func directoryLoop() throws {
        let directory = try TemporaryDirectory(["in/hosts.yml": "all: {hosts: {h: }}"])
        for name in ["a", "b"] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(directory.path)/in/\(name)", withDestinationPath: ".")
        }
        let faults = try #require(throws: Diagnostics.self) { try Inventory.load(file: "\(directory.path)/in") }
        #expect(faults.all.count == 2)
    }

    @Test("what is wrong in the file", arguments: inFile)
    func file(text: String, expected: String) throws {
        #expect(try Self.faults(["hosts.yml": text]) == expected)
    }

    private static let connections: [(variable: String, expected: String)] = [
        ("ansible_host: -oX", "2:18: '-oX' is no name or address"),
        ("ansible_host: 'a:22'", "2:18: 'a:22' is no name or address"),
        ("ansible_host: [a]", "2:18: expected a string, found a list"),
        ("ansible_port: 0", "2:18: the port 0 is not between 1 and 65535"),
        ("ansible_port: 70000", "2:18: the port 70000 is not between 1 and 65535"),
        ("ansible_user: a b", "2:18: 'a b' is no name of a user"),
        (
            "ansible_ssh_private_key_file: ~",
            "2:34: expected a string, found nothing; write '' for the empty one"
        ),
        (
            "ansible_ssh_common_args: -C",
            "2:29: the ssh argument '-C' is not understood; "
                + "only '-J HOST', '-o ProxyJump=HOST' and '-o UserKnownHostsFile=PATH' are"
        ),
        (
            "ansible_ssh_common_args: -o Compression=yes",
            "2:29: the ssh argument '-o Compression=yes' is not understood; "
                + "only '-J HOST', '-o ProxyJump=HOST' and '-o UserKnownHostsFile=PATH' are"
        ),
        (
            "ansible_ssh_common_args: -oStrictHostKeyChecking=no",
            "2:29: host keys are always checked; take '-o StrictHostKeyChecking=no' away; "
                + "'--accept-new-host-keys' accepts those of new hosts"
        ),
        (
            "ansible_ssh_common_args: -J x -o ProxyCommand='ssh -W %h:%p x'",
            "2:29: ProxyCommand is not supported; write '-J HOST' instead"
        ),
        (
            "ansible_ssh_common_args: -J a:x",
            "2:29: 'a:x' names no jump hosts; write USER@HOST:PORT, separated by commas"
        ),
        ("ansible_become: maybe", "2:20: expected true or false, found the string 'maybe'"),
        ("ansible_become_user: -u", "2:25: '-u' is no name of a user"),
        ("ansible_become_method: su", "2:4: the method 'su' is not supported yet; write 'sudo'"),
        ("ansible_connection: winrm", "2:4: the connection 'winrm' is not supported yet; write 'ssh' or 'local'"),
        ("ansible_ssh_port: 0", "2:22: the port 0 is not between 1 and 65535"),
        ("ansible_prot: 22", "2:4: unknown connection variable 'ansible_prot'; did you mean 'ansible_port'?"),
    ]

    @Test("what is wrong with a connection", arguments: connections)
    func connection(variable: String, expected: String) throws {
        let text = "a: {hosts: {h: }, vars: {\n   \(variable)}}\n"
        #expect(try Self.faults(["hosts.yml": text]) == "hosts.yml:" + expected)
    }

    @Test("what is wrong beside the file, together with the rest")
    func beside() throws {
        let files = [
            "hosts.yml": "etcd: {hosts: {h: {x: !foo y}}}\n",
            "group_vars/etdc.yml": "a: 1\n",
            "group_vars/etcd.yml": "a: '{{ b | c }}'\n",
            "group_vars/etcd.yaml": "a: 1\n",
            "group_vars/all.conf": "{}",
            "host_vars/h.yml": "a: 1\na: 2\n",
        ]
        #expect(
            try Self.faults(files, extra: ["novalue", "p='", "1x=2"]) == """
                --extra-vars 1x:1:1: '1x' is no name of a variable; use letters, digits and '_'
                --extra-vars p:1:2: found unexpected end of stream while scanning a quoted scalar
                host_vars/h.yml:2:1: duplicate key 'a'; it is already on line 1
                hosts.yml:1:23: unknown tag '!foo'; the tags are !env, !file, !command, !vault
                'group_vars/all.conf' is not read; name it after a group, as NAME.yml
                'group_vars/etcd.yml' is there beside 'group_vars/etcd.yaml'; keep one of them: Ansible reads only one
                'group_vars/etdc.yml' is for no group of the inventory; did you mean 'etcd'?
                --extra-vars: 'novalue' sets nothing; write KEY=VALUE or @FILE
                """)
    }
}

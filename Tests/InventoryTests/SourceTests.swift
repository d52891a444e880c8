import Diagnostics
import FoundationEssentials
import Inventory
import TestSupport
import Testing

@Suite("Sources of an inventory")
struct SourceTests {
    private static func load(
        _ files: [String: String], _ sources: [String] = ["hosts"], extra: [String] = []
    ) async throws -> Inventory {
        let directory = try TemporaryDirectory(files)
        for (name, text) in files where text.hasPrefix("#!") && !name.hasSuffix(".off") {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(directory.path)/\(name)")
        }
        let extra = extra.map { $0.hasPrefix("@") ? "@\(directory.path)/\($0.dropFirst())" : $0 }
        do {
            let paths = sources.map { $0.contains(",") ? $0 : "\(directory.path)/\($0)" }
            return try await Inventory.load(paths, extraVariables: extra)
        } catch {
            throw Diagnostic(directory.shortened(error.description))
        }
    }

    private static let faults: [(files: [String: String], sources: [String], expected: String)] = [
        ([:], ["hosts"], "cannot read 'hosts': No such file or directory"),
        (
            ["hosts.toml": ""], ["hosts.toml"],
            "the inventory 'hosts.toml' is TOML, which is not supported; write it in YAML or INI"
        ),
        (
            ["hosts.off": "#!/bin/sh\n"], ["hosts.off"],
            "the inventory 'hosts.off' is a program that may not be run; make it executable by 'chmod +x'"
        ),
        (
            ["hosts": "#!/bin/sh\necho no >&2; exit 3\n"], ["hosts"],
            "the inventory 'hosts' with --list failed with exit status 3: no"
        ),
        (
            ["hosts": "#!/bin/sh\necho nothing\n"], ["hosts"],
            "the inventory 'hosts --list' prints no JSON object; print {\"GROUP\": {\"hosts\": [...]}}"
        ),
        (
            ["hosts": "#!/bin/sh\necho '{\"a\": {\"x\": 1}}'\n"], ["hosts"],
            "hosts --list:1:2: the group 'a' has neither 'hosts' nor 'vars' nor 'children'; "
                + "print its hosts as {\"hosts\": [...]}"
        ),
        (
            ["hosts": "plugin: aws_ec2\n"], ["hosts"],
            "hosts:1:9: inventory plugins are not supported; "
                + "write what it finds as YAML, or run it by a program that prints JSON"
        ),
        (
            [:], ["a b,h:99999,"],
            "-i a b,h:99999,:1:1: 'a b' is no name of a host; use letters, digits, '-' and '.'\n"
                + "-i a b,h:99999,:1:1: the port 99999 is not between 1 and 65535"
        ),
        (["d/README.md": ""], ["d"], "the inventory 'd' names no hosts; write one name a line"),
        (
            ["hosts": "h\n", "host_vars/h/x.conf": "a: 1", "host_vars/h.yml": "a: 1"], ["hosts"],
            "'host_vars/h/x.conf' is not read; name it NAME.yml\n"
                + "'host_vars/h.yml' is there beside 'host_vars/h'; keep one of them: Ansible reads only one"
        ),
        (
            ["hosts": "[g]\nh\n", "group_vars/g": "ansible_group_priority: 2"], ["hosts"],
            "group_vars/g:1:1: 'ansible_group_priority' means nothing here; "
                + "write it under the vars of a group, in the inventory itself"
        ),
    ]

    @Test("that cannot be read are named", arguments: faults.indices)
    func refuses(index: Int) async throws {
        let (files, sources, expected) = Self.faults[index]
        let error = try await #require(throws: Diagnostic.self) { try await Self.load(files, sources) }
        #expect(error.message == expected)
    }

    @Test("are overridden by extra variables in all their forms, the last first")
    func extra() async throws {
        let inventory = try await Self.load(
            ["hosts": "h a=1 b=1 c=1 d=1", "more.yml": "b: file\nc: file\nansible_port: 99"],
            extra: ["a=text", "@more.yml", "{c: [1, 2]}", "d='x y=z'"])
        let host = inventory.hosts[0]
        #expect(host.port == 99)
        #expect(
            host.listing.split(separator: "\n").map { $0.split(separator: "  ")[0] } == [
                "h (ungrouped)", "a: \"text\"", "ansible_port: 99", "b: \"file\"", "c: [ 1, 2 ]", "d: \"x y=z\"",
            ])
    }

    private static let extraFaults: [(text: String, expected: String)] = [
        ("novalue", "--extra-vars: 'novalue' sets nothing; write KEY=VALUE or @FILE"),
        ("./more.yml", "--extra-vars: './more.yml' sets nothing; write '@./more.yml' for the variables of a file"),
        (
            "a=1 b=2",
            "--extra-vars: 'a=1 b=2' sets more than one variable; write each in a '-e' of its own, "
                + "or a value with blanks in quotes"
        ),
        ("@missing.yml", "cannot read 'missing.yml': No such file or directory"),
        ("{a", "--extra-vars:2:1: did not find expected ',' or '}' while parsing a flow mapping of line 1"),
    ]

    @Test("refuse extra variables that set nothing", arguments: extraFaults)
    func extraFault(text: String, expected: String) async throws {
        let error = try await #require(throws: Diagnostic.self) {
            try await Self.load(["hosts": "h"], extra: [text])
        }
        #expect(error.message == expected)
    }

    @Test("show no secret")
    func secrets() async throws {
        let inventory = try await Self.load([
            "hosts":
                "g: {hosts: {h1: {db_password: hidden, list: [{token: hidden}], x: !env HOME, api: {api_key: hidden}}}}"
        ])
        for text in [inventory.listing, inventory.hosts[0].listing] {
            #expect(!text.contains("hidden") && text.split(separator: "‹secret›").count == 5)
        }
    }
}

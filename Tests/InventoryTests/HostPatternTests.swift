import Testing

import Diagnostics
import Inventory
import TestSupport

@Suite("HostPattern")
struct HostPatternTests {
    private static let hosts = """
        all:
          children:
            web:
              hosts:
                web[1:5]:
            db:
              children:
                master:
                  hosts:
                    db1.example.com:
                replica:
                  hosts:
                    db2.example.com:
                    db3.example.com:
            east:
              hosts:
                db1.example.com:
                web3:
                web1:
            dbx:
              hosts:
                cache-1:
            six:
              hosts:
                "fd00::1":
                "fd00::2":
            tree:
              children:
                east:
                replica:
              hosts:
                web5:
            empty:

        """

    /// What `ansible -i hosts.yml --list-hosts all --limit PATTERN` of ansible-core 2.19 says, in the order of the file.
    private static let asAnsible: [(pattern: String, hosts: String)] = [
        ("all", "web1 web2 web3 web4 web5 db1 db2 db3 cache-1 fd00::1 fd00::2"),
        ("*", "web1 web2 web3 web4 web5 db1 db2 db3 cache-1 fd00::1 fd00::2"),
        ("web", "web1 web2 web3 web4 web5"),
        ("web1", "web1"),
        ("db", "db1 db2 db3"),
        ("tree", "web1 web3 web5 db1 db2 db3"),
        // Wildcards match hosts and groups.
        ("db*", "db1 db2 db3 cache-1"),
        ("web?", "web1 web2 web3 web4 web5"),
        ("*.example.com", "db1 db2 db3"),
        ("db[123].example.com", "db1 db2 db3"),
        ("db[1-2].example.com", "db1 db2"),
        ("web[!1]", "web2 web3 web4 web5"),
        ("[wc]*1", "web1 cache-1"),
        // Regular expressions match from the beginning, and need not match to the end.
        ("~web[13]", "web1 web3"),
        (#"~db\d+"#, "db1 db2 db3"),
        ("~(db|web)1:cache-1", "web1 db1 cache-1"),
        ("~web(1|2),db", "web1 web2 db1 db2 db3"),
        // Lists.
        ("web1,web3", "web1 web3"),
        ("web1:web3", "web1 web3"),
        ("web1 web2", "web1 web2"),
        (" web1 , web2 ,", "web1 web2"),
        ("web[1:2]:db", "web2 web3 db1 db2 db3"),
        ("fd00::1", "fd00::1"),
        ("fd00::1,web1", "web1 fd00::1"),
        // Intersections and exclusions, wherever they stand.
        ("web,&east", "web1 web3"),
        ("&east,web", "web1 web3"),
        ("&east", "web1 web3 db1"),
        ("ea*,&web", "web1 web3"),
        ("&~.*1", "web1 db1 cache-1 fd00::1"),
        ("~web[12]:&east", "web1"),
        ("web:&east:!web1", "web3"),
        ("!web", "db1 db2 db3 cache-1 fd00::1 fd00::2"),
        ("all:!web", "db1 db2 db3 cache-1 fd00::1 fd00::2"),
        ("!web1,web", "web2 web3 web4 web5"),
        ("web,!web1,!web[1]", "web3 web4 web5"),
        ("tree,!east", "web5 db2 db3"),
        // Subscripts count in the order of the group, level by level.
        ("web[0]", "web1"),
        ("web[-1]", "web5"),
        ("web[-2]", "web4"),
        ("web[0:0]", "web1"),
        ("web[0:2]", "web1 web2 web3"),
        ("web[1:]", "web2 web3 web4 web5"),
        ("web[4:9]", "web5"),
        ("web[1:3],&east", "web3"),
        ("db[1:]", "db2 db3"),
        ("east[0]", "db1"),
        ("east[-1]", "web1"),
        ("tree[0]", "web5"),
        ("tree[1:2]", "web3 db1"),
        ("tree[4]", "db2"),
        ("all[5]", "db1"),
        ("*[0:2]", "web1 web2 web3"),
        ("web*[1]", "web2"),
        ("db*[3]", "cache-1"),
        ("web1[0]", "web1"),
    ]

    /// What Ansible has no use for, or does otherwise.
    private static let asDrover: [(pattern: String, hosts: String)] = [
        // Ansible takes this for the names 'fd00' and '1'.
        ("!fd00::1,&six", "fd00::2"),
        ("!fd00::1", "web1 web2 web3 web4 web5 db1 db2 db3 cache-1 fd00::2"),
        // Here Ansible's 'a*' matches the group 'all'.
        ("ca*", "cache-1"),
        ("~a|ca", "cache-1"),
        ("web1,empty", "web1"),
    ]

    private static func expand(_ pattern: String) throws -> [Host] {
        let directory = try TemporaryDirectory(["hosts.yml": hosts])
        return try HostPattern(pattern).hosts(in: Inventory.load(file: "\(directory.path)/hosts.yml"))
    }

    @Test("stands for the hosts that Ansible gives", arguments: asAnsible + asDrover)
    func hosts(pattern: String, expected: String) throws {
        let names = try Self.expand(pattern).map { $0.name.split(separator: ".example").first ?? "" }
        #expect(names.joined(separator: " ") == expected)
    }

    private static let faults: [(pattern: String, message: String)] = [
        ("webb", "no host or group is named 'webb'; did you mean 'web'?"),
        ("WEB", "no host or group is named 'WEB'"),
        ("db1", "no host or group is named 'db1'; did you mean 'db'?"),
        ("ungrouped", "the pattern 'ungrouped' leaves no host of 'hosts.yml'"),
        (
            "web,nosuch,!replca",
            "no host or group is named 'nosuch'\nno host or group is named 'replca'; did you mean 'replica'?"
        ),
        ("web1:22", "no host or group is named '22'"),
        (
            "[fd00::1]",
            "the pattern '[fd00::1]' has neither characters nor numbers between its brackets; "
                + "write [a-c] for characters, or at the end [FIRST:LAST] or [FIRST:] for the hosts of a group"
        ),
        ("nobody*", "no name of a host or group matches 'nobody*'"),
        ("web,!~nobody", "no name of a host or group matches '!~nobody'"),
        ("a*", "no name of a host or group matches 'a*'"),
        ("~b2", "no name of a host or group matches '~b2'"),
        ("web.*", "no name of a host or group matches 'web.*'"),
        ("empty", "the pattern 'empty' leaves no host of 'hosts.yml'"),
        ("!all", "the pattern '!all' leaves no host of 'hosts.yml'"),
        ("web[1]:&east", "the pattern 'web[1]:&east' leaves no host of 'hosts.yml'"),
        ("", "the pattern '' names no host; write 'all' for every host"),
        (" ,", "the pattern ' ,' names no host; write 'all' for every host"),
        ("web,!", "the pattern '!' names no host"),
        ("~", "the pattern '~' names no host"),
        ("web[5]", "the pattern 'web[5]' counts beyond the 5 hosts there; the first has the number 0"),
        ("web[-6]", "the pattern 'web[-6]' counts beyond the 5 hosts there; the first has the number 0"),
        ("web[7:9]", "the pattern 'web[7:9]' counts beyond the 5 hosts there; the first has the number 0"),
        ("web1[1]", "the pattern 'web1[1]' counts beyond the one host there; the first has the number 0"),
        ("web[2:1]", "the pattern 'web[2:1]' ends before it begins"),
        ("web[0-2]", "the pattern 'web[0-2]' has no subscript of Ansible's; write [0:2]"),
        ("web[99999999999999999999]", "the pattern 'web[99999999999999999999]' counts further than any inventory does"),
        ("web[1", "the pattern 'web[1' has a '[' without a ']'"),
        ("~web(1", "the pattern '~web(1' is no regular expression; mind that ',' and ':' separate patterns"),
    ]

    @Test("is refused when it names nothing", arguments: faults)
    func refuses(pattern: String, message: String) throws {
        let error = try #require(throws: (any Error).self) { try Self.expand(pattern) }
        let text = "\(error)".replacing(/'[^']*hosts.yml'/, with: "'hosts.yml'")
        #expect(text == message)
    }

    @Test("takes the lines of a file")
    func files() throws {
        let directory = try TemporaryDirectory([
            "hosts.yml": Self.hosts, "retry": "web2\n!web3\n\n db2.example.com \n", "empty": "\n",
            "wrong": "web1\nweb7,\n",
        ])
        let inventory = try Inventory.load(file: "\(directory.path)/hosts.yml")
        func names(_ pattern: String) throws -> [String] { try HostPattern(pattern).hosts(in: inventory).map(\.name) }
        #expect(try names("@\(directory.path)/retry") == ["web2", "db2.example.com"])
        #expect(try names("web3,web1,@\(directory.path)/retry") == ["web1", "web2", "db2.example.com"])
        for (file, message) in [
            ("empty", "the file 'empty' names no host"),
            ("missing", "cannot read 'missing': No such file or directory"),
            ("wrong", "wrong:2:1: no host or group is named 'web7'; did you mean 'web'?"),
        ] {
            let error = try #require(throws: (any Error).self) { try names("@\(directory.path)/\(file)") }
            #expect(directory.shortened("\(error)") == message)
        }
    }
}

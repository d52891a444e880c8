import Diagnostics
import Testing

@testable import DroverCLI

@Suite("Misspelling")
struct MisspellingTests {
    /// The part of the argument parser's description of a program that these tests need.
    private static let dump = """
        {"command": {"commandName": "drover", "arguments": [\(help)], "subcommands": [
            {"commandName": "plan", "arguments": [\(help)], "subcommands": [\(deploy), \(switchover)]},
            {"commandName": "apply", "arguments": [\(help), \(option("plan"))],
                "subcommands": [\(deploy), \(switchover)]},
            {"commandName": "lab", "subcommands": [{"commandName": "up"}, {"commandName": "down"}]},
            {"commandName": "status", "arguments": [\(inventory), \(flag("json"))]},
            {"commandName": "run", "arguments": [\(inventory)]},
            {"commandName": "help"}
        ]}, "serializationVersion": 0}
        """
    private static let deploy = """
        {"commandName": "deploy-cluster", "arguments": [\(inventory), \(flag("diff")), \(flag("yes")),
            {"kind": "flag", "names": [{"kind": "short", "name": "k"}]},
            {"kind": "option", "names": [{"kind": "long", "name": "limit"}, {"kind": "short", "name": "l"}]}]}
        """
    private static let switchover = #"{"commandName": "switchover", "arguments": [\#(inventory), \#(option("to"))]}"#
    private static let help = flag("help")
    private static let inventory = """
        {"kind": "option", "names": [{"kind": "short", "name": "i"}, {"kind": "long", "name": "inventory"}]}
        """

    private static func flag(_ name: String) -> String { argument("flag", name) }
    private static func option(_ name: String) -> String { argument("option", name) }

    private static func argument(_ kind: String, _ name: String) -> String {
        #"{"kind": "\#(kind)", "names": [{"kind": "long", "name": "\#(name)"}]}"#
    }

    private func text(_ line: String) throws -> String? {
        let words = line.split(separator: " ").map(String.init)
        let misspelling = Misspelling(program: "drover", playbooks: ["deploy-cluster", "switchover"], words: words)
        return try misspelling.diagnostic(in: CommandTree(dump: Self.dump))?.description
    }

    @Test(
        "names the word that is unknown, and what was meant",
        arguments: [
            ("pln", "unknown command 'pln'; did you mean 'plan'?"),
            ("frobnicate", "unknown command 'frobnicate'; 'drover --help' lists the commands"),
            (
                "deploy-cluster -i a.yml",
                "'deploy-cluster' is a playbook, not a command; write 'drover apply deploy-cluster -i a.yml'"
            ),
            ("deploy-clster", "unknown command 'deploy-clster'; did you mean 'drover apply deploy-cluster'?"),
            ("plan deploy-clustr -i x", "unknown playbook 'deploy-clustr'; did you mean 'deploy-cluster'?"),
            ("apply x", "unknown playbook 'x'; the playbooks are deploy-cluster, switchover"),
            ("lab upp", "unknown command 'upp'; did you mean 'up'?"),
            ("lab create", "unknown command 'create'; there are up, down"),
            (
                "plan deploy-cluster --inventry lab.yml",
                "unknown option '--inventry' of 'plan deploy-cluster'; did you mean '--inventory'?"
            ),
            ("status --jsn=1", "unknown option '--jsn' of 'status'; did you mean '--json'?"),
            (
                "status --frobnicate",
                "unknown option '--frobnicate' of 'status'; 'drover status --help' lists the options"
            ),
            (
                "apply deploy-cluster -i lab.yml --check --limit pg1",
                "unknown option '--check' of 'apply deploy-cluster'; to change nothing, write "
                    + "'drover plan deploy-cluster -i lab.yml --limit pg1'"
            ),
            (
                "plan deploy-cluster --dry-run",
                "unknown option '--dry-run' of 'plan deploy-cluster'; leave it out: 'plan' changes nothing"
            ),
            ("-i x status", "unknown option '-i'; write the command first: 'drover --help' lists the commands"),
            (
                "plan deploy-cluster -kx",
                "unknown option '-kx' of 'plan deploy-cluster'; "
                    + "'drover plan deploy-cluster --help' lists the options"
            ),
        ])
    func unknown(line: String, message: String) throws {
        #expect(try text(line) == message)
    }

    @Test(
        "leaves to the argument parser what is wrong otherwise",
        arguments: [
            "", "plan", "plan deploy-cluster", "plan deploy-cluster -i --inventry", "run all -- --frobnicate",
            "apply deploy-cluster -kl pg1 -i", "apply --plan nothing", "help pln", "apply switchover --to=pg2",
        ])
    func known(line: String) throws {
        #expect(try text(line) == nil)
    }
}

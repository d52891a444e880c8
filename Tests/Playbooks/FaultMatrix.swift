import ArgumentParser
import Engine
import Inventory
import Secrets
import SystemResources

/// Some thirty steps of every kind, all of which are due again when the text is another one: files, services that must be
/// restarted or reloaded, and steps that must not be done twice.
struct FaultMatrix: Playbook {
    static let name = "fault-matrix"
    static let abstract = "Steps for faults to happen in."

    @Option(help: "What the files are to say.")
    var text: String

    @Option(help: "The resource whose step waits for a fault, by its number in the order of the steps.")
    var waiting: Int?

    @Flag(help: "Let the step wait after its work, not before it.")
    var late = false

    func model(of inventory: Inventory) throws -> [Host] { inventory.hosts }

    func hosts(of hosts: [Host]) -> [Host] { hosts }

    func plays(for hosts: [Host], observed: Observations) throws -> [Play] {
        let resources = Self.resources(text)
        let all = resources.enumerated().map { index, resource -> any Resource in
            index == waiting ? WaitingForFault(resource: resource, text: text, isLate: late) : resource
        }
        // One batch that outlives its controller, and one that ends with it.
        return [
            Play("Prepare", on: hosts) { _ in Self.units },
            Play("What must finish", on: hosts) { _ in Array(all[..<Self.border]) },
            Play("What may be ended", on: hosts) { _ in Array(all[Self.border...]) },
        ]
    }

    /// How many resources are in the play with the step that must finish.
    private static let border = 12
    private static let folder = "/etc/drover-test"

    private static var units: [any Resource] {
        let directory: [any Resource] = [Directory(folder)]
        return directory
            + (1...4).map { number in
                File(
                    "/etc/systemd/system/drover-test-\(number).service",
                    containing: """
                        [Service]
                        ExecStart=/bin/sh -c 'trap : HUP; while :; do sleep 1000 & wait; done'
                        ExecReload=/bin/kill -HUP $MAINPID
                        [Install]
                        WantedBy=multi-user.target

                        """)
            }
    }

    /// Each has exactly one step when the text is another one.
    private static func resources(_ text: String) -> [any Resource] {
        func files(_ numbers: ClosedRange<Int>) -> [any Resource] {
            numbers.map { File("\(folder)/file-\($0)", containing: MaskedText("\($0) says \(text)\n"), mode: 0o640) }
        }
        func service(_ number: Int, isReloaded: Bool) -> [any Resource] {
            let file = "\(folder)/service-\(number)"
            return [
                File(file, containing: MaskedText("service \(number) reads \(text)\n")),
                Service(
                    "drover-test-\(number)", restartedBy: isReloaded ? [] : [file], reloadedBy: isReloaded ? [file] : []
                ),
            ]
        }
        func appended(_ name: String, mustFinish: Bool) -> [any Resource] {
            [AppendedLine(line: text, file: "\(folder)/log-\(name)", mustFinish: mustFinish)]
        }
        return files(1...4) + appended("a", mustFinish: true) + service(1, isReloaded: false)
            + appended("b", mustFinish: true) + service(2, isReloaded: true) + files(5...6)
            + files(7...12) + service(3, isReloaded: false) + appended("c", mustFinish: false) + files(13...16)
            + service(4, isReloaded: true) + appended("d", mustFinish: false) + files(17...18)
    }
}

/// A resource whose step waits for a fault, so that the fault comes before its work or after it and never beside it.
///
/// The host sees three of the four faults: Drover asks it to halt, or it loses its cable. The fourth, a loss of power, ends
/// the wait and all else; a step that begins anew afterwards does not wait again.
struct WaitingForFault: Resource {
    let resource: any Resource
    let text: String
    let isLate: Bool

    var name: String { resource.name }
    var questions: [any Fact] { resource.questions }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try resource.changes(given: facts, after: pending).map { change in
            var change = change
            change.script = isLate ? "(\n\(change.script)\n)\n\(wait)" : "\(wait)(\n\(change.script)\n)\n"
            return change
        }
    }

    private var wait: ShellText {
        """
        \(ShellText.say)
        [ "$(cat /var/tmp/drover-waited 2>/dev/null)" = \(quoting: text) ] || {
          echo \(quoting: text) >/var/tmp/drover-waited
          say 'waits for the fault'
          until [ -e "$DROVER_HALT" ] || { read -r carrier </sys/class/net/eth0/carrier && [ "$carrier" = 0 ]; } 2>/dev/null
          do sleep 0.02; done
        }

        """
    }
}

/// Ensures that a log has a line. Were it done twice, the line would be there twice.
struct AppendedLine: Resource {
    let line: String
    let file: String
    let mustFinish: Bool

    var name: String { "line in \(file)" }

    private var count: LineCount { LineCount(line: line, file: file) }

    var questions: [any Fact] { [count] }

    func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        if try facts[count] > 0 { return [] }
        return [
            Change(
                "append to \(file)", script: "echo \(quoting: line) >>\(quoting: file)",
                mustFinish: mustFinish)
        ]
    }
}

/// How often a file has a line.
struct LineCount: Fact {
    let line: String
    let file: String

    static func script(for questions: [LineCount]) -> ShellText {
        questions.map {
            "grep -cxF -- \(quoting: $0.line) \(quoting: $0.file) 2>/dev/null || [ -e \(quoting: $0.file) ] || echo 0"
                as ShellText
        }
        .joined(separator: "\n")
    }

    static func answers(to questions: [LineCount], from output: String) throws -> [LineCount: Int] {
        let counts = output.split(separator: "\n").compactMap { Int($0) }
        guard counts.count == questions.count else { throw UnreadableAnswer(LineCount.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, counts))
    }
}

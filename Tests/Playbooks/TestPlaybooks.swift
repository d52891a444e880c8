import Drover
import DroverCLI

/// The list of the playbooks of the tests.
enum TestPlaybooks: PlaybookList {
    static let all: [any Playbook.Type] = [
        FileResources.self
    ]
}

import Drover
import DroverCLI

/// The list of the tests' playbooks.
enum TestPlaybooks: PlaybookList {
    static let all: [any Playbook.Type] = [
        FaultMatrix.self, FileResources.self, Liar.self, ManyResources.self, OnePackage.self, Pace.self,
    ]
}

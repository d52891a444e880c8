import Drover
import DroverCLI

enum TestPlaybooks: PlaybookList {
    static let all: [any Playbook.Type] = [
        HostSettings.self
    ]
}

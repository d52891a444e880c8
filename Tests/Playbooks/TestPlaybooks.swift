import Engine

/// The list of the tests' playbooks.
enum TestPlaybooks {
    static let all: [any Playbook.Type] = [
        FaultMatrix.self, FileResources.self, HostSettings.self, Liar.self, ManyResources.self, OnePackage.self,
        Pace.self, SideEffect.self, Waver.self,
    ]
}

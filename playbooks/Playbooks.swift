import Engine

/// The list of all playbooks. A new one needs its own file in this folder and its line here.
enum Playbooks {
    static let all: [any Playbook.Type] = [
        DeployCluster.self, SwitchOver.self, PointInTimeRecovery.self, AddPgNode.self, AddBalancer.self,
        RemovePgNode.self, RemoveBalancer.self, RemoveCluster.self, WebServer.self,
    ]
}

import Engine

/// What `--json` tells of how a run ended.
struct ResultEvent {
    private struct Recap: Encodable {
        let host: String
        let ok: Int
        let changed: Int
        let unreachable: Int
        let failed: Int
        let skipped: Int
    }

    private struct Costs: Encodable {
        let controllerSeconds: Double
        let resources: Int
        let hosts: [String: Host]

        struct Host: Encodable {
            let connections: Int
            let exchanges: Int
            let bytesSent: Int
            let bytesReceived: Int
            let forks: Int
        }
    }

    private let result: RunResult

    init(_ result: RunResult) {
        self.result = result
    }

    var fields: [String: (any Encodable)?] {
        [
            "status": result.status.rawValue, "seconds": rounded(result.seconds),
            "recap": result.recaps.map { host, recap in
                Recap(
                    host: host, ok: recap.ok, changed: recap.changed, unreachable: recap.unreachable,
                    failed: recap.failed, skipped: recap.skipped)
            },
            "costs": Costs(
                controllerSeconds: rounded(result.costs.controllerSeconds), resources: result.costs.resources,
                hosts: result.costs.hosts.mapValues { costs in
                    Costs.Host(
                        connections: costs.connections, exchanges: costs.exchanges, bytesSent: costs.bytesSent,
                        bytesReceived: costs.bytesReceived, forks: costs.forks)
                }),
        ]
    }
}

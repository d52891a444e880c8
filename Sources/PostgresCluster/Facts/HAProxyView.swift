import Engine
import SystemResources

/// Which servers HAProxy holds to be up, from the table of its statistics page.
struct HAProxyView: Sendable {
    static let leaderListener = "leader"
    static let replicasListener = "replicas"

    /// Where HAProxy answers 200 as long as it serves, on the port of its statistics.
    static let healthPath = "/healthy"

    struct Server: Hashable, Sendable {
        let listener: String
        let name: String
        /// `UP`, `DOWN`, `UP 1/2` …
        let status: String
        /// False after a reload, as long as it counts as up without having been asked.
        var isChecked = true

        /// Whether clients are sent there, also while one check or two of them have failed.
        var isUp: Bool { status.hasPrefix("UP") }
    }

    let servers: [Server]

    static func question(statisticsPort: Int) -> HTTPResponse {
        HTTPResponse("http://127.0.0.1:\(statisticsPort)/;csv")
    }

    /// The columns of the table: 0 the listener, 1 the server, 17 its status, 36 that of its last check
    /// (HAProxy 2.6 management guide, 9.1).
    init(_ answer: HTTPResponse.Answer) {
        servers = answer.body.linesOfText.compactMap { line in
            let columns = line.split(separator: ",", omittingEmptySubsequences: false)
            guard answer.status == 200, columns.count > 17, !line.hasPrefix("#"),
                columns[1] != "FRONTEND", columns[1] != "BACKEND"
            else { return nil }
            return Server(
                listener: String(columns[0]), name: String(columns[1]), status: String(columns[17]),
                isChecked: columns.count < 37 || !columns[36].hasSuffix("INI"))
        }
    }

    func servers(of listener: String, in status: String) -> [String] {
        servers.filter { $0.listener == listener && $0.status == status }.map(\.name)
    }
}

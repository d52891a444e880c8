import DroverCLI
import PostgresCluster

/// A cluster on a terminal, brought up to date while a person looks at it.
struct WatchView {
    typealias Piece = ScreenLine.Piece

    let state: WatchState
    /// In seconds since 1970.
    let now: Int

    /// An observation that takes longer than this many seconds is waited for.
    private static let patience = 5
    private static let words = "q quits"

    /// The view. Where its lines are too many, the findings come without their remedies.
    func lines(width: Int, height: Int = .max) -> [ScreenLine] {
        let lines = lines(width, hasRemedies: true)
        return lines.count > height ? self.lines(width, hasRemedies: false) : lines
    }

    private func lines(_ width: Int, hasRemedies: Bool) -> [ScreenLine] {
        guard let status = state.status else { return [heading(width), ScreenLine()] + failure(width) }
        return [heading(width)] + failure(width) + [ScreenLine()]
            + members(status.members) + [ScreenLine()] + parts(status).flatMap { $0.wrapped(width) }
            + balancers(status.balancers) + [ScreenLine()] + findings(status.findings, width, hasRemedies)
    }

    // MARK: The state as a whole

    private func heading(_ width: Int) -> ScreenLine {
        guard let status = state.status else { return ends([Piece("asking the hosts", .strong)], waiting, width) }
        let following = status.follows.map { ", a standby cluster of \($0)" } ?? ""
        return ends(
            [Piece("Cluster \(status.cluster)\(following)", .strong), Piece("  "), verdict(status)],
            [Piece("\(Self.clock(status.time)) UTC, \(Text.age(now - status.time)) ago  ", .faint)] + waiting, width)
    }

    private var waiting: [Piece] {
        let began = state.began ?? now
        let isLate = now - began > Self.patience
        return (isLate ? [Piece("waiting for hosts since \(Text.age(now - began))  ", .warning)] : [])
            + [Piece(Self.words, .faint)]
    }

    /// Both ends of a line; the right one only where there is room for it.
    private func ends(_ left: [Piece], _ right: [Piece], _ width: Int) -> ScreenLine {
        let blanks = width - (left + right).map { DisplayWidth.of($0.text) }.reduce(0, +)
        return ScreenLine(left + [Piece(String(repeating: " ", count: max(2, blanks)))] + right)
    }

    private func verdict(_ status: ClusterStatus) -> Piece {
        let counts = Finding.Severity.allCases.compactMap { severity -> String? in
            let count = status.findings.count { $0.severity == severity }
            return count == 0 ? nil : "\(count) \(severity.rawValue)"
        }
        return Piece(counts.isEmpty ? "healthy" : counts.joined(separator: ", "), Self.tone(of: status.worst))
    }

    private func failure(_ width: Int) -> [ScreenLine] {
        guard let failure = state.failure else { return [] }
        let head = "the observation failed \(Text.age(now - failure.time)) ago: "
        return failure.text.split(separator: "\n").enumerated().flatMap { index, line in
            ScreenLine([Piece(index == 0 ? head : "  ", .bad), Piece(String(line), .bad)]).wrapped(width)
        }
    }

    // MARK: The parts

    private func members(_ members: [ClusterStatus.Member]) -> [ScreenLine] {
        let names = ["member", "role", "state", "timeline", "lag", "", "clients", "pooler"]
        return ScreenLine.table(
            [names.map { Piece($0, .faint) }]
                + members.map { member in
                    [
                        Piece(member.name, member.isLeader ? .strong : .plain),
                        Piece(member.role?.replacing("_", with: " ") ?? "-"),
                        Piece(member.state, ["running", "streaming"].contains(member.state) ? .plain : .bad),
                        Piece(member.timeline.map(String.init) ?? "-"),
                        Piece(member.isLeader ? "" : member.lag.map(Text.bytes) ?? "-"),
                        // As wide as it can become, so that nothing moves beside it.
                        Piece(Text.padded(member.isLeader ? "" : Self.bar(member.lag), 6), .accent), clients(member),
                        pooler(member),
                    ]
                })
    }

    private func clients(_ member: ClusterStatus.Member) -> Piece {
        guard let connections = member.connections else { return Piece("-") }
        return Piece("\(connections.count)" + (connections.limit.map { "/\($0)" } ?? ""))
    }

    private func pooler(_ member: ClusterStatus.Member) -> Piece {
        guard let pooler = member.pooler else { return Piece("-") }
        if !pooler.isAnswering { return Piece("silent", .bad) }
        return pooler.waitingClients == 0
            ? Piece("answers")
            : Piece("\(pooler.waitingClients) wait \(Text.age(pooler.longestWait))", .warning)
    }

    private func parts(_ status: ClusterStatus) -> [ScreenLine] {
        var lines = [etcd(status.etcd)]
        if let address = status.address { lines.append(vip(address, status.holders)) }
        if let backups = status.backups { lines.append(text(of: backups)) }
        return lines
    }

    private func etcd(_ members: [ClusterStatus.Etcd]) -> ScreenLine {
        let sick = members.filter { !$0.isHealthy }.map(\.name)
        let count = "\(members.count - sick.count) of \(members.count) healthy"
        return sick.isEmpty
            ? part("etcd", "\(count): \(members.map(\.name).joined(separator: " "))")
            : part("etcd", "\(count); not \(sick.joined(separator: " "))", .bad)
    }

    private func vip(_ address: String, _ holders: [String]) -> ScreenLine {
        holders.isEmpty
            ? part("VIP", "\(address), which no host holds", .bad)
            : part("VIP", "\(address) at \(holders.joined(separator: " and "))", holders.count == 1 ? .plain : .bad)
    }

    private func text(of backups: BackupStatus) -> ScreenLine {
        let newest = backups.newest.map { newest in
            ", the newest \(newest)" + (backups.age.map { ", \(Text.age($0)) old" } ?? "")
        }
        let archive = "WAL archive \(backups.isArchiving ? "healthy" : "not healthy")"
        let last = backups.archived.map { ", last segment \($0)" } ?? ""
        return part(
            "backups", "\(backups.count)\(newest ?? "")  \(archive)\(last)", backups.isArchiving ? .plain : .warning)
    }

    private func part(_ name: String, _ text: String, _ tone: ScreenLine.Tone = .plain) -> ScreenLine {
        ScreenLine([Piece(Text.padded(name, 9), .faint), Piece(text, tone)])
    }

    private func balancers(_ balancers: [ClusterStatus.Balancer]) -> [ScreenLine] {
        guard !balancers.isEmpty else { return [] }
        func list(_ names: [String]) -> Piece { Piece(names.isEmpty ? "-" : names.joined(separator: " ")) }
        let names = ["balancer", "haproxy", "leader", "replicas"]
        return [ScreenLine()]
            + ScreenLine.table(
                [names.map { Piece($0, .faint) }]
                    + balancers.map { balancer in
                        [
                            Piece(balancer.name),
                            balancer.isServing ? Piece("serves") : Piece("silent", .bad), list(balancer.leader),
                            list(balancer.replicas),
                        ]
                    })
    }

    private func findings(_ findings: [Finding], _ width: Int, _ hasRemedies: Bool) -> [ScreenLine] {
        if findings.isEmpty { return [ScreenLine("No problems found.", .good)] }
        return findings.flatMap { finding in
            let text = ScreenLine([
                Piece(Text.padded(finding.severity.rawValue, 10), Self.tone(of: finding.severity)), Piece(finding.text),
            ])
            let remedy = ScreenLine([
                Piece("          → ", .accent),
                Piece("\(finding.remedy) (runbook: \(finding.name.rawValue))", .faint),
            ])
            return (hasRemedies ? [text, remedy] : [text]).flatMap { $0.wrapped(width) }
        }
    }

    // MARK: Words and signs

    private static func tone(of severity: Finding.Severity?) -> ScreenLine.Tone {
        switch severity {
        case nil: .good
        case .critical: .bad
        case .warning: .warning
        case .note: .accent
        }
    }

    /// A bar that grows by a cell each time the lag is sixteen times as large: a full one is 1 GiB or more.
    static func bar(_ lag: Int?) -> String {
        guard let lag, lag > 0 else { return "" }
        let limits = [16 << 10, 256 << 10, 4 << 20, 64 << 20, 1 << 30]
        return String(repeating: "█", count: 1 + limits.count { lag >= $0 })
    }

    /// `03:40:28`.
    private static func clock(_ seconds: Int) -> String {
        [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(
            separator: ":")
    }
}

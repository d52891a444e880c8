import Diagnostics
import Inventory

/// Plays with the resources of each of their hosts, made once for all who look at them.
struct Declarations: Sendable {
    /// What one play declares.
    struct Part: Sendable {
        let play: Play
        /// One for every host of the play, in its order.
        let hosts: [(host: Host, resources: [any Resource])]
    }

    let parts: [Part]

    /// - Throws: what a playbook throws that cannot make them.
    init(_ plays: [Play]) throws {
        parts = try plays.map { play in
            Part(play: play, hosts: try play.hosts.map { ($0, try play.resources(on: $0)) })
        }
    }

    /// - Throws: `Diagnostics` with everything that is wrong with templates and variables, of all hosts at once.
    init(checking plays: [Play]) throws {
        var diagnostics = Diagnostics()
        parts = try plays.map { play in
            let hosts = try play.hosts.map { host in
                (host, try diagnostics.collect { try play.resources(on: host) } ?? [])
            }
            return Part(play: play, hosts: hosts)
        }
        try diagnostics.throwIfAny()
    }

    /// What the resources of a host want to know, in those plays that are chosen.
    ///
    /// - Parameter facts: what is known of the host already.
    func questions(
        of host: Host, given facts: Facts = Facts(), in isChosen: (Play) -> Bool = { _ in true }
    ) -> [any Fact] {
        parts.filter { isChosen($0.play) }.flatMap(\.hosts).filter { $0.host.name == host.name }
            .flatMap(\.resources).flatMap { $0.questions(given: facts) }
    }
}

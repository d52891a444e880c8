import Engine

extension Cluster {
    /// Lets only a cluster be touched that can be made or continued.
    ///
    /// - Throws: `Refusal` that explains what was found and what can be done.
    public func refuseUnlessNewOrRunning() throws {
        if let leader = membership.leader, !configuration.members.contains(where: { $0.name == leader.name }) {
            throw Refusal(
                "\(leader.name) leads the cluster '\(configuration.name)', and the inventory does not name it",
                remedies: [
                    "put \(leader.name) back into the group 'replica'",
                    "or let a member of the inventory lead: `patronictl -c /etc/patroni/config.yml switchover`",
                ])
        }
        try refuseToBecomeStandby()
        if let recovery = Recovery(of: self).underway {
            throw Refusal(
                "the cluster '\(configuration.name)' is being recovered to \(recovery.target.words), since \(recovery.id)",
                remedies: ["end that first: apply point-in-time-recovery with --promote or with --abort"])
        }
        let data = configuration.postgres.dataDirectory
        switch state {
        case .unknown, .new, .running: return
        case .partial(let found):
            throw Refusal(
                "the cluster '\(configuration.name)' exists only in parts: \(found)",
                remedies: [
                    "if the missing part is on its way (a host that is down, a restore), bring it back and run this again",
                    "if the database is what counts, start Patroni by hand on the member that led last: it completes the "
                        + "rest",
                    "if nothing is to be kept, move \(data) away on the members and remove the keys with "
                        + "`etcdctl del --prefix \(configuration.path)`; nothing is deleted here unasked",
                ])
        case .foreign(let found):
            throw Refusal(
                "what was found is not the cluster '\(configuration.name)': \(found)",
                remedies: [
                    "if the inventory names a wrong host, correct it",
                    "if the other database is not needed, move \(data) away on its host and run this again",
                ])
        }
    }
}

import Drover
import Secrets

/// Tells of the members that the cluster has and the inventory does not name.
struct Strangers: Resource {
    let members: [Membership.Member]

    let name = "members beyond the inventory"

    var questions: [any Fact] { [] }

    func changes(given facts: Facts, after pending: PendingEffects) -> [Change] { [] }

    func notices(given facts: Facts) -> [String] {
        members.map { member in
            "\(member.name) (\(member.address ?? "address unknown"), \(member.state)) is a member that the inventory does not "
                + "name: it stays as it is; `drover apply remove-pgnode --node \(member.name)` takes it out"
        }
    }
}

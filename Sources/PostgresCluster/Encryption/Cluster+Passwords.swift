import Engine

extension Cluster {
    /// Lets no cluster that runs be given other passwords because the file with them is gone.
    ///
    /// - Throws: `Refusal` that says what to do.
    func refuseOtherPasswords() throws {
        let lost = madePasswords.filter(ClusterSafe.rolePasswords.contains)
        guard !lost.isEmpty, membership.leader != nil else { return }
        throw Refusal(
            "the cluster '\(configuration.name)' runs, and nobody knows its passwords: the inventory does not give "
                + "\(lost.joined(separator: ", ")), and there is no secrets/\(configuration.name)/passwords.yml "
                + "beside it",
            remedies: ["bring that file back, or write the passwords into the inventory"])
    }

    /// Tells what is made on this machine when the plan is approved.
    var keepings: [Play] {
        [
            Play("Make up passwords", on: madePasswords.isEmpty ? [] : [leader.host]) { _ in
                Remark(
                    "\(madePasswords.joined(separator: ", ")) will be made up, and kept in "
                        + "secrets/\(configuration.name)/passwords.yml: `drover secret view` shows them")
                if !passwordsAreEncrypted {
                    Remark(
                        "that file will be readable by its owner alone, but not encrypted: --vault-password-file FILE "
                            + "encrypts it, and `drover secret encrypt` does so later")
                }
            }
        ]
    }
}

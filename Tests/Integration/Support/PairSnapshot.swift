extension LabSnapshot {
    /// Two members without balancers, with encrypted backups on pg3, where the user `keeper` has them.
    static let pair = LabSnapshot(
        "pair", hosts: 3,
        edits: [
            ("    cluster_vip: 10.70.0.100\n", ""),
            ("    haproxy_maxconn: 4000\n    haproxy_maxconn_global: 8000\n", ""),
            ("    balancers:\n      hosts: *hosts\n", "    pgbackrest:\n      hosts:\n        pg3:\n"),
            ("            pg2:\n            pg3:\n", "            pg2:\n"),
            (
                "      - { option: shared_buffers",
                "      - { option: track_commit_timestamp, value: 'on' }\n      - { option: shared_buffers"
            ),
            (
                "    patroni_cluster_name: lab\n",
                """
                    patroni_cluster_name: lab
                    pgbackrest_install: true
                    \(NoTimers.pgBackRest)
                    pgbackrest_repo_user: keeper
                    pgbackrest_conf:
                      global:
                        - { option: repo1-cipher-pass, value: lab-passphrase }
                        - { option: repo1-retention-full, value: 20 }

                """
            ),
        ])
}

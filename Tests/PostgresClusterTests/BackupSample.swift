import Engine
import Inventory

@testable import PostgresCluster

/// The sample cluster with backups.
enum BackupSample {
    static let host = "    pgbackrest:\n      hosts: { bk: { ansible_host: 10.0.0.9 } }"

    /// - Parameters:
    ///   - variables: beside those of every cluster and `pgbackrest_install`.
    ///   - hasHost: whether a host of its own has the repository.
    static func text(_ variables: [String] = [], hasHost: Bool = true) -> String {
        Sample.text(
            Sample.variables + ["pgbackrest_install: true"] + variables,
            groups: Sample.groups + (hasHost ? "\n" + host : ""))
    }

    static let s3 = [
        "pgbackrest_repo_type: s3", "pgbackrest_conf:", "  global:",
        "    - { option: repo1-s3-bucket, value: backups }",
        "    - { option: repo1-s3-endpoint, value: s3.example.org }",
        "    - { option: repo1-s3-region, value: eu-1 }", "    - { option: repo1-s3-key, value: access-key }",
        "    - { option: repo1-s3-key-secret, value: secret-key }",
        "    - { option: repo1-cipher-pass, value: a pass phrase }",
        "    - { option: repo1-retention-full, value: 4 }",
        "  stanza:", "    - { option: process-max, value: 8 }",
    ]

    /// As pgBackRest 2.45 prints it, with two backups.
    static let info = #"""
        [{"archive":[{"database":{"id":1,"repo-key":1},"id":"15-1","max":"000000010000000000000005","min":\#
        "000000010000000000000001"}],"backup":[{"archive":{"start":"000000010000000000000004","stop":\#
        "000000010000000000000005"},"backrest":{"format":5,"version":"2.45"},"database":{"id":1,"repo-key":1},\#
        "error":false,"info":{"delta":23267311,"repository":{"delta":2866976,"size":2866976},"size":23267311},\#
        "label":"20261122-132203F","lsn":{"start":"0/4000028","stop":"0/5000050"},"prior":null,"reference":null,\#
        "timestamp":{"start":1795353723,"stop":1795353726},"type":"full"},{"archive":{"start":\#
        "000000010000000000000007","stop":"000000010000000000000007"},"backrest":{"format":5,"version":"2.45"},\#
        "database":{"id":1,"repo-key":1},"error":false,"info":{"delta":99000,"repository":{"delta":4100,"size":\#
        2866976},"size":23267311},"label":"20261122-132203F_20261122-132327D","lsn":{"start":"0/7000028","stop":\#
        "0/7000138"},"prior":"20261122-132203F","reference":["20261122-132203F"],"timestamp":{"start":1795353807,\#
        "stop":1795353811},"type":"diff"}],"cipher":"aes-256-cbc","db":[{"id":1,"repo-key":1,"system-id":\#
        7710985427043285199,"version":"15"}],"name":"demo","repo":[{"cipher":"aes-256-cbc","key":1,"status":\#
        {"code":0,"message":"ok"}}],"status":{"code":0,"lock":{"backup":{"held":false}},"message":"ok"}}]
        """#

    static let noStanza = #"""
        [{"archive":[],"backup":[],"cipher":"none","db":[],"name":"demo","repo":[{"cipher":"none","key":1,"status":\#
        {"code":1,"message":"missing stanza path"}}],"status":{"code":1,"lock":{"backup":{"held":false}},"message":\#
        "missing stanza path"}}]
        """#

    static let noBackups = #"""
        [{"archive":[{"database":{"id":1,"repo-key":1},"id":"15-1","max":null,"min":null}],"backup":[],"cipher":\#
        "none","db":[{"id":1,"repo-key":1,"system-id":7710982274847800115,"version":"15"}],"name":"demo","repo":\#
        [{"cipher":"none","key":1,"status":{"code":2,"message":"no valid backups"}}],"status":{"code":2,"lock":\#
        {"backup":{"held":false}},"message":"no valid backups"}}]
        """#

    static let question = PgBackRestInfo("demo", as: "postgres")

    /// What is told at some time, in seconds since 1970.
    static func answer(_ json: String, at now: Int = 1_795_353_871) throws -> PgBackRestInfo.Answer {
        try PgBackRestInfo.answers(to: [question], from: "\(now) \(json)\n")[question] ?? .init(stanza: nil, now: 0)
    }

    static func facts(_ json: String) throws -> Facts {
        var facts = Facts()
        facts.record(try answer(json), to: question)
        return facts
    }
}

import Diagnostics
import Testing

@testable import Lab

@Suite("The list of hosts")
struct HostListTests {
    @Test("gives hosts names and addresses, with room for virtual addresses between")
    func names() {
        let entries = HostList(count: LabNetwork.maximumHosts).entries
        #expect(entries.first == HostList.Entry(name: "pg1", address: "10.70.0.11"))
        #expect(entries[79] == HostList.Entry(name: "pg80", address: "10.70.0.90"))
        #expect(entries[80] == HostList.Entry(name: "pg81", address: "10.70.0.121"))
        #expect(entries.last == HostList.Entry(name: "pg200", address: "10.70.0.240"))
    }

    @Test("is read back as it was written", arguments: [1, 3, 200])
    func roundTrip(count: Int) {
        #expect(HostList(parsing: HostList(count: count).text) == HostList(count: count))
    }

    @Test("is empty for a lab without hosts, and skips half a line")
    func unfinished() {
        #expect(HostList(parsing: "").entries.isEmpty)
        #expect(HostList(parsing: "10.70.0.11 pg1\n10.70.0.12").entries.map(\.name) == ["pg1"])
    }

    @Test("grows by what is missing, and never shrinks", arguments: [(3, 5, 5), (5, 3, 5), (2, 2, 2)])
    func grows(has: Int, wanted: Int, becomes: Int) {
        var hosts = HostList(count: has)
        #expect(HostList(count: wanted).missing(from: hosts).count == max(0, wanted - has))
        hosts.formUnion(HostList(count: wanted))
        #expect(hosts == HostList(count: becomes))
    }

    @Test(
        "names the host that was probably meant",
        arguments: [
            ("pgg1", "the lab has no host 'pgg1'; did you mean 'pg1'?"),
            ("database", "the lab has no host 'database'; the hosts are pg1, pg2"),
        ])
    func unknown(name: String, message: String) throws {
        let diagnostic = try #require(throws: Diagnostic.self) { try HostList(count: 2).entry(named: name) }
        #expect(diagnostic.description == message)
    }

    @Test("says that a lab without hosts has none")
    func none() throws {
        let diagnostic = try #require(throws: Diagnostic.self) { try HostList(parsing: "").entry(named: "pg1") }
        #expect(diagnostic.description == "the lab has no host 'pg1'; it has none at all, run 'drover lab up'")
    }
}

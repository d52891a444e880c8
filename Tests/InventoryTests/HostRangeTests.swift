import Testing

@testable import Inventory

@Suite("HostRange")
struct HostRangeTests {
    @Test(
        "expands",
        arguments: [
            ("pg1", ["pg1"]),
            ("db[01:03]", ["db01", "db02", "db03"]),
            ("db[8:11].x", ["db8.x", "db9.x", "db10.x", "db11.x"]),
            ("web[a:c]", ["weba", "webb", "webc"]),
            ("n[1:9:4]", ["n1", "n5", "n9"]),
            ("n[:2]", ["n0", "n1", "n2"]),
            ("r[1:2]n[a:b]", ["r1na", "r1nb", "r2na", "r2nb"]),
            ("n[098:101]", ["n098", "n099", "n100", "n101"]),
        ])
    func expands(pattern: String, names: [String]) throws {
        #expect(try HostRange.expand(pattern) == names)
    }

    @Test(
        "refuses",
        arguments: [
            ("db[1:3", "'db[1:3' has a '[' without a ']'"),
            ("db1]", "'db1]' has a ']' without a '['"),
            ("db[1]", "'[1]' is no range; write [FIRST:LAST] or [FIRST:LAST:STEP]"),
            ("db[1:]", "'[1:]' is no range; write [FIRST:LAST] or [FIRST:LAST:STEP]"),
            ("db[1:3:0]", "the step '0' is no whole number above 0; write [FIRST:LAST] or [FIRST:LAST:STEP]"),
            ("db[3:1]", "the range '[3:1]' ends before it begins"),
            ("db[c:a]", "the range '[c:a]' ends before it begins"),
            ("db[01:100]", "the ends of '[01:100]' differ in width; write [001:100]"),
            ("db[001:10]", "the ends of '[001:10]' differ in width; write [001:010]"),
            (
                "db[a:3]",
                "the ends of '[a:3]' are neither two numbers nor two letters; write [FIRST:LAST] or [FIRST:LAST:STEP]"
            ),
            (
                "db[a:C]",
                "the ends of '[a:C]' are neither two numbers nor two letters; write [FIRST:LAST] or [FIRST:LAST:STEP]"
            ),
            ("db[1:99999]", "'[1:99999]' names more than 10000 hosts"),
            ("[1:999][1:999]", "'[1:999][1:999]' names more than 10000 hosts"),
        ])
    func refuses(pattern: String, message: String) throws {
        let fault = try #require(throws: HostRange.Fault.self) { try HostRange.expand(pattern) }
        #expect(fault.message + (fault.remedy.map { "; \($0)" } ?? "") == message)
    }
}

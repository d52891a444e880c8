import Foundation
import Testing

/// The sample for plain hosts, with its own inventory, from bare hosts.
@Suite("web-server", .lab(of: 2))
struct WebServerTests {
    private var lab: TestLab { TestLab.current }

    @Test("serves the page behind its packet filter, and changes nothing the second time nor after a loss of power")
    func serves() async throws {
        let result = try await run("apply", "--yes")
        try #require(result.status == 0, "\(result.everything)")
        #expect(Steps.applied(in: result.output).isSubset(of: Steps.planned(in: result.output)))
        let page = try await lab.must(
            on: "pg1",
            "python3 -c 'import urllib.request as u; print(u.urlopen(\"http://10.70.0.12/\").read().decode())'")
        #expect(page.contains("<h1>A page from Drover</h1>\n<p>Served by pg2.</p>"), "\(page)")
        let closed = try await lab.shell(
            on: "pg1", "python3 -c 'import socket; socket.create_connection((\"10.70.0.12\", 81), 1)'")
        #expect(closed.status == 1)
        #expect(closed.errors.contains("timed out") || closed.errors.contains("TimeoutError"), "\(closed.everything)")
        #expect(try await lab.must(on: "pg2", "su ann -c 'sudo id -u'") == "0\n")

        expectNothingChanged(try await run("apply", "--yes"))
        try await lab.fault("kill", "pg1")
        try await lab.fault("start", "pg1")
        expectNothingChanged(try await run("apply", "--yes"))
    }

    private func run(_ verb: String, _ options: String...) async throws -> Command {
        let inventory = "\(lab.folder)/hosts.yml"
        try String(contentsOfFile: "\(Drover.checkout)/inventory/hosts-sample.yml", encoding: .utf8)
            .replacing("/run/drover/lab/lab/", with: "\(lab.folder)/")
            .write(toFile: inventory, atomically: true, encoding: .utf8)
        let words = ["lab", "exec", "--name", lab.name, "--", Drover.program, verb, "web-server", "-i", inventory]
        return try await Command.run([Drover.program] + words + options)
    }
}

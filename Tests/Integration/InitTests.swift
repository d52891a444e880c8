import Foundation
import TestSupport
import Testing

/// Builds and tests a package that `drover init` made, and applies its playbook to bare hosts.
@Suite("init", .lab(of: 2))
struct InitTests {
    private var lab: TestLab { TestLab.current }

    @Test("makes a package that builds, passes its test, and brings hosts to the declared state")
    func life() async throws {
        let directory = try TemporaryDirectory()
        let package = "\(directory.path)/my-herd"
        try await make(package)
        try await build(package)
        try await apply(Program(package: package, lab: lab))
        withExtendedLifetime(directory) {}
    }

    private func make(_ package: String) async throws {
        let made = try await Drover.run("init", package)
        try #require(made.status == 0, "\(made.everything)")
        #expect(made.output.contains("$program lab exec -- $program apply baseline -i hosts.yml"))
        let again = try await Drover.run("init", package)
        #expect(again.status == 1)
        #expect(again.errors.contains("'\(package)' is there already and not empty"), "\(again.everything)")
        let manifest = try String(contentsOfFile: "\(package)/Package.swift", encoding: .utf8)
        #expect(!manifest.contains(Drover.checkout))
        try FileManager.default.removeItem(atPath: "\(package)/drover")
        let linked = try await Drover.run("init", package)
        #expect(linked.status == 0 && linked.output.contains(" builds with "), "\(linked.everything)")
    }

    /// Compiles all that Drover depends on too, which takes minutes.
    private func build(_ package: String) async throws {
        let options = ["--package-path", package]
        let build = try await Command.run(["swift", "build", "--build-tests"] + options, seconds: 1800)
        try #require(build.status == 0, "\(build.everything)")
        let test = try await Command.run(["swift", "test", "--skip-build"] + options)
        #expect(test.status == 0 && test.everything.contains("2 tests in 1 suite passed"), "\(test.everything)")
    }

    private func apply(_ program: Program) async throws {
        let inventory = try program.inventory()
        let wrong = try program.inventory(replacing: "owner:", with: "ownr:")
        let refused = try await program.run("plan", "baseline", "-i", wrong)
        #expect(refused.status == 1)
        #expect(refused.errors.contains("unknown variable 'ownr' in a host; did you mean 'owner'?"))

        let first = try await program.run("apply", "baseline", "-i", inventory, "--yes")
        try #require(first.status == 0, "\(first.everything)")
        #expect(Steps.applied(in: first.output).contains("pg2: restart systemd-journald"), "\(first.output)")
        #expect(try await lab.must(on: "pg1", "cat /etc/motd").hasPrefix("pg1 belongs to the platform team."))
        #expect(
            try await lab.must(on: "pg2", "cat /etc/systemd/journald.conf.d/size.conf")
                == "[Journal]\nSystemMaxUse=50M\n")

        let ping = try await program.run("ping", "-i", inventory)
        #expect(ping.status == 0, "\(ping.everything)")
        let typo = try await program.run("pln", "baseline", "-i", inventory)
        #expect(typo.errors.contains("unknown command 'pln'; did you mean 'plan'?"), "\(typo.everything)")

        let second = try await program.run("apply", "baseline", "-i", inventory, "--yes")
        #expect(second.status == 0, "\(second.everything)")
        #expect(second.output.contains("Nothing to change."), "\(second.output)")
        #expect(second.output.linesOfOutput.filter { $0.contains("  changed=0  ") }.count == 2, "\(second.output)")
    }

    /// The package's program, on the hosts of a lab.
    private struct Program {
        let package: String
        let lab: TestLab

        func run(_ words: String...) async throws -> Command {
            let program = "\(package)/.build/debug/my-herd"
            return try await Command.run([program, "lab", "exec", "--name", lab.name, "--", program] + words)
        }

        /// The package's own inventory with the key of this lab, and with another text in the place of one.
        func inventory(replacing old: String = "owner:", with new: String = "owner:") throws -> String {
            let text = try String(contentsOfFile: "\(package)/inventory/hosts.yml", encoding: .utf8)
            let path = "\(package)/inventory/\(new.dropLast()).yml"
            try text.replacing("/run/drover/lab/lab/", with: "\(lab.folder)/").replacing(old, with: new)
                .write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
    }
}

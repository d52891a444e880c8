import Foundation
import Subprocess
import Testing

/// The released program on Debian 13, whose libssh2 signs with RSA keys and SHA-2. That of Debian 12 does not, so sshd
/// refuses its signatures.
@Suite("Debian 13", .lab(of: 1))
struct NewerSystemTests {
    private var lab: TestLab { TestLab.current }

    @Test("RSA keys log in there; on Debian 12 Drover reports why they do not")
    func rsa() async throws {
        // Only what the program needs there.
        let packages = "base-files,dash,libc6,libgcc-s1,libssh2-1t64,libstdc++6,libyaml-0-2,openssh-client"
        let root = "\(lab.folder)/debian13"
        let making = try await Command.run([
            "mmdebstrap", "--quiet", "--variant=extract", "--include=\(packages)", "trixie", root,
        ])
        try #require(making.status == 0, "\(making.everything)")
        try FileManager.default.createDirectory(atPath: "\(root)/drover", withIntermediateDirectories: true)
        let key = try await Command.run(["ssh-keygen", "-q", "-t", "rsa", "-N", "", "-f", "\(root)/drover/key"])
        try #require(key.status == 0, "\(key.everything)")
        let line = try String(contentsOfFile: "\(root)/drover/key.pub", encoding: .utf8)
        try await lab.must(on: "pg1", "echo '\(line.trimmingCharacters(in: .newlines))' >>/root/.ssh/authorized_keys")
        for (from, to) in [(Drover.released, "program"), ("\(lab.folder)/known_hosts", "known_hosts")] {
            try FileManager.default.copyItem(atPath: from, toPath: "\(root)/drover/\(to)")
        }

        let enter = "mount -t proc proc \(root)/proc && exec chroot \(root) /drover/program"
        let inventory = try inventory("/drover", in: root)
        let there = try await Command.run(
            lab.inside("unshare") + ["--mount", "sh", "-c", "\(enter) run -i \(inventory) all -- hostname"])
        #expect(there.status == 0, "\(there.everything)")
        #expect(there.output == "pg1  pg1\n")

        let here = try await Command.run(
            lab.inside(Drover.released) + [
                "run", "-i", try self.inventory("\(root)/drover", in: ""), "all", "--", "true",
            ])
        #expect(here.status == 5)
        #expect(here.errors.contains("RSA keys need libssh2 1.11 or later"), "\(here.everything)")
    }

    /// Writes the inventory for a program that finds key and known hosts in a folder below a root.
    private func inventory(_ folder: String, in root: String) throws -> String {
        try """
        all:
          vars:
            ansible_user: root
            ansible_ssh_private_key_file: \(folder)/key
            ansible_ssh_common_args: -o UserKnownHostsFile=\(folder)/known_hosts
          hosts:
            pg1: { ansible_host: 10.70.0.11 }

        """.write(toFile: "\(root)\(folder)/hosts.yml", atomically: true, encoding: .utf8)
        return "\(folder)/hosts.yml"
    }
}

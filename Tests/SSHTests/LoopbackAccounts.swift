import FoundationEssentials
import SSH
import Secrets

/// Users, passwords and a sudoers file that only the sshd of one test sees: in a mount namespace of its own, other files lie
/// over those of this machine. Wants root.
struct LoopbackAccounts: Sendable {
    static let user = "drover-test"
    static let password = Secret("hunter2")
    /// That of the password, by crypt(3).
    private static let hash =
        "$6$drover$vSr/zX0xnilkZkaC7XKMSFjJ.RBTKRYu7R87QBqTsN4M99rC6wHScBQwscDf/lgx9OixRhpXPq..kDTzCfDwy1"

    /// Whether this process may do so.
    static var arePossible: Bool { ProcessInfo.processInfo.userName == "root" }

    /// What sudo is told of the user.
    var sudoers: [String] = []

    /// Writes the files to a directory.
    ///
    /// - Returns: the shell command that lays them over those of the machine.
    func prepare(in directory: String) throws -> String {
        func write(_ name: String, _ text: String, mode: Int) throws -> String {
            let file = "\(directory)/\(name)"
            try Data(text.utf8).write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
            return "mount --bind \(file) /etc/\(name)"
        }
        let shadow = try String(contentsOfFile: "/etc/shadow", encoding: .utf8)
        let passwd = try String(contentsOfFile: "/etc/passwd", encoding: .utf8)
        return try [
            write("passwd", passwd + "\(Self.user):x:60123:65534::/tmp:/bin/sh\n", mode: 0o644),
            write("shadow", shadow + "\(Self.user):\(Self.hash):19000:0:99999:7:::\n", mode: 0o640),
            write("sudoers", sudoers.joined(separator: "\n") + "\n", mode: 0o440),
        ].joined(separator: " && ")
    }
}

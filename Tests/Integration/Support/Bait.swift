import Foundation

/// A process that has a text among its arguments.
struct Bait {
    private let process = Process()
    private let input = Pipe()

    /// Starts it. The kernel lets go of the parent before the new process has its arguments, so it is waited for until it says
    /// something.
    init(_ text: String) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "echo; read -r line", text]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = try output.fileHandleForReading.read(upToCount: 1)
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

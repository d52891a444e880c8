import TestSupport
import Testing

@testable import Engine

@Suite("Files that are sent")
struct DeliveryTests {
    private static let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    @Test("a file is written in pieces, each of which may come twice, and has its name when it is whole")
    func pieces() async throws {
        let folder = try TemporaryDirectory()
        let delivery = Delivery("abc", to: "\(folder.path)/a b/file", size: 3, digest: Self.digest)
        let other = Delivery("abc", to: "\(folder.path)/none", size: 3, digest: Self.digest)
        let scripts = [
            Delivery.look(for: [delivery, other]), delivery.script(writing: "YWI=", at: 0), delivery.closing,
            delivery.script(writing: "YWI=", at: 0), delivery.script(writing: "Yw==", at: 2),
            delivery.script(writing: "Yw==", at: 2), delivery.closing, Delivery.look(for: [other, delivery]),
        ]
        var runs: [ShellRun] = []
        for script in scripts { runs.append(try await ShellRun.of(script.reveal())) }
        #expect(runs.map(\.status) == [0, 0, 1, 0, 0, 0, 0, 0])
        #expect(runs[0].output == "")
        #expect(runs[2].output == "it changed on its way\n")
        #expect(runs[7].output == "1\n")
        #expect(try await ShellRun.of("cat '\(delivery.path)'; ls '\(folder.path)/a b'").output == "abcfile\n")
    }
}

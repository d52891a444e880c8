import Synchronization
import Testing

@testable import DroverCLI

@Suite("HostLines")
struct HostLinesTests {
    private enum Stream { case one, two }

    /// What is written for what two hosts print in turn.
    private func written(_ pieces: [(host: String, stream: Stream, text: String)]) -> [String] {
        let written = Mutex<[String]>([])
        let lines = HostLines<Stream>(hosts: ["a", "long"]) { text, stream in
            written.withLock { $0.append("\(stream):\(text)") }
        }
        for piece in pieces { lines.take(Array(piece.text.utf8), from: piece.host, on: piece.stream) }
        lines.finish()
        return written.withLock { $0 }
    }

    @Test("are whole, each with its host before it, however the output arrives")
    func whole() {
        #expect(
            written([
                ("a", .one, "first\n\nsec"), ("long", .one, "else\n"), ("a", .two, "x\n"), ("a", .one, "ond\nopen"),
                ("long", .two, "\n"),
            ]) == [
                "one:a     first\na     \n", "one:long  else\n", "two:a     x\n", "one:a     second\n", "two:long  \n",
                "one:a     open\n",
            ])
    }

    @Test("do not let a host write to the terminal itself")
    func printable() {
        #expect(written([("a", .one, "\u{1b}[2Jx\n")]).joined().contains("\u{1b}") == false)
    }

    @Test("a line without an end is written in pieces, all of it, in linear time", .timeLimit(.minutes(1)))
    func endless() {
        let count = Mutex(0)
        let lines = HostLines<Stream>(hosts: ["a"]) { text, _ in count.withLock { $0 += text.utf8.count { $0 == 120 } }
        }
        let piece = Array(repeating: UInt8(ascii: "x"), count: 32_768)
        for _ in 0..<12 { lines.take(piece, from: "a", on: .one) }
        #expect(count.withLock(\.self) > 11 * piece.count - 70_000)
        lines.finish()
        #expect(count.withLock(\.self) == 12 * piece.count)
    }

    @Test("of several bytes a character are not torn apart")
    func unicode() {
        let bytes = Array("ä\n".utf8)
        let written = Mutex("")
        let lines = HostLines<Stream>(hosts: ["a"]) { text, _ in written.withLock { $0 += text } }
        for byte in bytes { lines.take([byte], from: "a", on: .one) }
        #expect(written.withLock { $0 } == "a  ä\n")
    }
}

import Testing

@testable import SSH

@Suite("MarkerScanner")
struct MarkerScannerTests {
    private static let id = RequestID()
    private static let mark = "\u{1e}\(id) 0\u{1e}"

    /// The output that a scanner finds in `text`, given in pieces of `size` bytes.
    private func scan(_ text: String, piecesOf size: Int) -> (output: String, status: Int32?) {
        var scanner = MarkerScanner(Self.id)
        var output: [UInt8] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            bytes[start..<min(start + size, bytes.count)].withUnsafeBytes { output += scanner.scan($0) }
        }
        return (String(decoding: output, as: UTF8.self), scanner.status)
    }

    @Test(
        "finds the mark behind any output, in pieces of any size",
        arguments: [
            "", "text\n", "no line break", "\u{1e}", "\u{1e}\u{1e}\u{1e}", "\u{1e}\(RequestID()) 0\u{1e}",
            "\u{1e}\(id)", "\u{1e}\(id) ", "\u{1e}\(id) 12345678901234\u{1e}", "\u{1e}\(id) x\u{1e}",
        ], [1, 2, 7, 33, 1000])
    func found(output: String, size: Int) {
        let found = scan(output + Self.mark, piecesOf: size)
        #expect(found.output == output)
        #expect(found.status == 0)
    }

    @Test("reads the status", arguments: [0, 1, 127, 255] as [Int32])
    func status(status: Int32) {
        #expect(scan("\u{1e}\(Self.id) \(status)\u{1e}", piecesOf: 3).status == status)
    }

    @Test("hands on what cannot be the mark without waiting for more")
    func immediate() {
        #expect(scan("text\u{1e}more", piecesOf: 100).output == "text\u{1e}more")
        #expect(scan("text\u{1e}\(Self.id) 0", piecesOf: 100).output == "text")
    }

    @Test("drops what follows the mark")
    func late() {
        let found = scan("text" + Self.mark + "late", piecesOf: 5)
        #expect(found.output == "text")
    }
}

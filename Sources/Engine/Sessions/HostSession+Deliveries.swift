import FoundationEssentials
import SSH

extension HostSession {
    /// How much of a file goes in one exchange, in bytes: a host keeps a script in its memory.
    private static let pieceSize = 3 * 1_048_576

    /// Sends the files that the host does not have yet.
    ///
    /// - Parameter onProgress: told in one line how far it is.
    /// - Throws: ``DeliveryFailure``, `SSHError` when the connection is lost for good, `CancellationError`.
    func deliver(_ deliveries: [Delivery], onProgress: (String) -> Void) async throws {
        if deliveries.isEmpty { return }
        let there = Set(try await exchange(Delivery.look(for: deliveries)).linesOfText)
        let lacking = deliveries.enumerated().filter { !there.contains("\($0.offset)") }.map(\.element)
        let total = lacking.map(\.size).reduce(0, +)
        var sent = 0
        for delivery in lacking {
            guard let content = try? Data(contentsOf: URL(filePath: delivery.file)) else {
                throw DeliveryFailure(description: "the file '\(delivery.file)' cannot be read any more")
            }
            var offset = 0
            repeat {
                try checkInterruption()
                let piece = content[offset..<min(offset + Self.pieceSize, content.count)]
                let text = piece.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
                _ = try await exchange(delivery.script(writing: text, at: offset), for: delivery)
                offset += piece.count
                sent += piece.count
                onProgress("\(sent / 1_048_576) of \(total / 1_048_576) MB of packages are there")
            } while offset < content.count
            _ = try await exchange(delivery.closing, for: delivery)
        }
    }

    private func exchange(_ script: ShellText, for delivery: Delivery? = nil) async throws -> String {
        let result = try await surviving { try await $0.run(script.reveal(), whenAbandoned: .look) }
        guard result.status == 0 else {
            let words =
                (result.standardOutputText + result.standardErrorText).linesOfText.last
                ?? "exit status \(result.status)"
            throw DeliveryFailure(description: "\(delivery?.path ?? "files") cannot be written: \(words)")
        }
        return result.standardOutputText
    }
}

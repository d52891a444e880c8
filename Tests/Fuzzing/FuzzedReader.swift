/// A reader of input that others write, with what to feed it: by the tests, and by libFuzzer.
struct FuzzedReader: Sendable, CustomStringConvertible {
    /// As `make fuzz READER=NAME` takes it.
    let name: String
    /// Inputs that the reader accepts.
    let samples: [[UInt8]]
    /// Bytes that mean something to the reader.
    let pieces: [[UInt8]]
    /// The share of mutated samples that it accepts: neither all nor none, for then they do not reach behind its first check.
    let accepted: ClosedRange<Double>
    /// Reads bytes.
    ///
    /// - Returns: whether the reader accepts them.
    /// - Throws: ``WrongReading`` when it accepts them and what it returns makes no sense.
    let read: @Sendable ([UInt8]) throws -> Bool

    var description: String { name }

    static let all =
        [yamlInventory, iniInventory, programInventory, hostPattern, vault]
        + [knownHosts, agentMessage, algorithmOffer, revocationList, keyFile, systemFacts, clusterFacts, clusterTexts]
}

extension FuzzedReader {
    /// A reader of texts.
    init(
        _ name: String, samples: [String], pieces: [String], accepted: ClosedRange<Double>,
        read: @escaping @Sendable (String) throws -> Bool
    ) {
        self.init(
            name: name, samples: samples.map { Array($0.utf8) }, pieces: pieces.map { Array($0.utf8) },
            accepted: accepted
        ) { try read(String(decoding: $0, as: UTF8.self)) }
    }
}

/// A reader accepts input and misunderstands it.
struct WrongReading: Error, CustomStringConvertible {
    let description: String
}

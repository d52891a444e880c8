import FoundationEssentials
import Glibc

/// Lets libFuzzer search for input that crashes or hangs a reader: see `make fuzz`. SwiftPM needs a `main`, which calls that of
/// libFuzzer.
///
/// The first argument is the name of a reader, the others are options of libFuzzer. Without arguments the program prints the
/// names.
@main
enum Fuzzer {
    /// The reader that libFuzzer feeds. A C function, which can capture nothing, reads it; it is set before the first call, and
    /// libFuzzer has one thread.
    nonisolated(unsafe) private static var reader = FuzzedReader.yamlInventory

    static func main() throws {
        let words = CommandLine.arguments
        guard words.count > 1 else { return print(FuzzedReader.all.map(\.name).joined(separator: "\n")) }
        guard let named = FuzzedReader.all.first(where: { $0.name == words[1] }) else {
            fputs("fuzzer: there is no reader '\(words[1])'; without arguments it lists them\n", stderr)
            exit(2)
        }
        reader = named
        let corpus = try writeSamples(of: named)
        var arguments = ([words[0]] + words.dropFirst(2) + [corpus]).map { strdup($0) } + [nil]
        var count = CInt(arguments.count - 1)
        arguments.withUnsafeMutableBufferPointer { buffer in
            var pointer = buffer.baseAddress
            _ = runDriver(&count, &pointer, readInput)
        }
    }

    /// libFuzzer begins with the files of a directory, and adds to them what leads it further.
    private static func writeSamples(of reader: FuzzedReader) throws -> String {
        let directory = ".build-fuzz/corpus/\(reader.name)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for (number, sample) in reader.samples.enumerated() {
            try Data(sample).write(to: URL(filePath: "\(directory)/sample-\(number)"))
        }
        return directory
    }

    /// Crashes when a reader misunderstands its input: libFuzzer keeps the input of a crash, and knows no other failure.
    static func read(_ bytes: [UInt8]) {
        do { _ = try reader.read(bytes) } catch { fatalError("\(error)") }
    }
}

/// - Parameters:
///   - bytes: the input that libFuzzer has made.
///   - count: the number of bytes.
/// - Returns: 0, which libFuzzer requires.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    Fuzzer.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

/// Source: LLVM, "libFuzzer", "Using libFuzzer as a library".
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

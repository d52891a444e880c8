import Diagnostics

@testable import Inventory

/// Lets libFuzzer look for a text that crashes or hangs the readers of inventories: see `make fuzz`. SwiftPM wants the program
/// to bring its own `main`, which calls libFuzzer's.
@main
struct InventoryFuzzer {
    static func main() {
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        _ = runDriver(&count, &arguments, readInventory)
    }
}

/// - Parameters:
///   - bytes: the text that libFuzzer has thought out.
///   - count: the number of bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInventory(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    let contents: [InventoryContent] = [
        .yaml(text, file: "f"), .ini(text, file: "f"), .output(ProgramOutput(file: "f", list: text)),
    ]
    for content in contents {
        guard let inventory = try? Inventory.merge([content], name: "f", directories: []) else { continue }
        _ = (inventory.listing, inventory.graph, inventory.hosts.map(\.listing))
    }
    return 0
}

/// Source: LLVM, "libFuzzer", "Using libFuzzer as a library".
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

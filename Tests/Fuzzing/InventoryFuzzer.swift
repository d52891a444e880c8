import Diagnostics

@testable import Inventory

/// Lets libFuzzer look for a text that crashes or hangs the readers of inventories: see `make fuzz`.
///
/// - Parameters:
///   - bytes: the text that it has thought out.
///   - count: the number of bytes.
/// - Returns: 0, as libFuzzer wants it.
@_cdecl("LLVMFuzzerTestOneInput")
public func readInventory(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
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

/// Reads what GNU tar writes, as far as it is needed here: what stands where, and what is in it.
struct TarReader {
    struct Entry {
        var name: String
        /// `0` is a file, `2` a symbolic link, `5` a directory.
        var kind: UInt8
        var target: String
        var content: ArraySlice<UInt8>
    }

    private static let block = 512

    /// - Returns: nil when `bytes` is no archive, or only a part of one.
    static func entries(of bytes: [UInt8]) -> [Entry]? {
        var entries: [Entry] = []
        var rest = bytes[...]
        // A name or a target that is too long for the head stands before it as an entry of its own.
        var long: (name: String?, target: String?)
        while rest.count >= block {
            let head = rest.prefix(block)
            rest = rest.dropFirst(block)
            // Two empty blocks are the end.
            guard head.contains(where: { $0 != 0 }) else { return entries }
            guard let size = Int(text(head, 124, 12).filter(\.isNumber), radix: 8), size <= rest.count else {
                return nil
            }
            let content = rest.prefix(size)
            rest = rest.dropFirst((size + block - 1) / block * block)
            let kind = head[head.startIndex + 156]
            switch kind {
            case UInt8(ascii: "L"): long.name = text(content, 0, size)
            case UInt8(ascii: "K"): long.target = text(content, 0, size)
            default:
                entries.append(
                    Entry(
                        name: long.name ?? text(head, 0, 100), kind: kind, target: long.target ?? text(head, 157, 100),
                        content: content))
                long = (nil, nil)
            }
        }
        return nil
    }

    /// A text that ends with its field or with a zero before.
    private static func text(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ length: Int) -> String {
        String(decoding: bytes.dropFirst(offset).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
    }
}

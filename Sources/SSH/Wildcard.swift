/// The patterns of known hosts files: `*` stands for any characters, `?` for one.
enum Wildcard {
    static func matches(_ pattern: some StringProtocol, _ text: some StringProtocol) -> Bool {
        matches(Array(pattern.utf8)[...], Array(text.utf8)[...])
    }

    /// Remembers only the last star, from which it goes on when something does not fit: never slow.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        var pattern = pattern
        var text = text
        var afterStar: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
        while let byte = text.first {
            if pattern.first == UInt8(ascii: "*") {
                pattern = pattern.dropFirst()
                afterStar = (pattern, text.dropFirst())
            } else if let wanted = pattern.first, wanted == UInt8(ascii: "?") || wanted == byte {
                pattern = pattern.dropFirst()
                text = text.dropFirst()
            } else if let star = afterStar {
                (pattern, text) = star
                afterStar = (star.pattern, star.text.dropFirst())
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

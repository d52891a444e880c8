/// How much of a line a text may be that a template prints.
enum TextExtent: String {
    /// One value, whichever kind of file it stands in: no blank, no quote, and nothing that a shell, systemd, YAML or HAProxy
    /// reads as more than itself.
    case word
    /// Anything without a line break.
    case line

    var remedy: String {
        switch self {
        case .word:
            "write '| quote', or '| line' where any text may stand; a word has letters, digits and _ . / : , @ % + = -"
        case .line: "write '| indent(0)' where a text of several lines may stand"
        }
    }

    func holds(_ text: String) -> Bool {
        switch self {
        case .word: !text.isEmpty && text.first != "-" && text.unicodeScalars.allSatisfy(Self.isPartOfWord)
        case .line:
            text.unicodeScalars.allSatisfy {
                $0 == "\t" || ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
        }
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "/", ":", ",", "@", "%", "+", "=", "-": true
        default: !scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        }
    }
}

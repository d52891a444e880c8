import Diagnostics
import Inventory
import Secrets
import YAML

/// A password of a role, which every client makes the same keys of.
///
/// SCRAM has it prepared by SASLprep (RFC 4013) before. Programs know different versions of Unicode, and some skip this step,
/// so that a password which it changes lets in some clients and turns others away.
struct DatabasePassword: YAMLDecodable, Equatable {
    let secret: Secret

    init(yaml node: YAMLNode) throws {
        secret = try Secret(yaml: node)
        guard !Self.isUnchanged(secret.reveal()) else { return }
        throw Diagnostic(
            "not all clients would send this password alike: SASLprep (RFC 4013) may change or forbid characters in it",
            at: node.location, remedy: "choose one of ASCII letters, digits and signs")
    }

    /// Whether SASLprep certainly leaves a text as it is. Of ASCII, only control characters are forbidden.
    private static func isUnchanged(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == " " || !mayChange($0) }
    }

    /// Controls are forbidden; other spaces become that of ASCII; characters without width are dropped (RFC 3454, tables B.1,
    /// C.1.2, C.2 to C.9). Marks and the later parts of Hangul syllables may combine with what stands before them.
    private static func mayChange(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned, .nonspacingMark, .spacingMark, .enclosingMark:
            true
        default:
            scalar.properties.isDefaultIgnorableCodePoint || (0x1160...0x11ff).contains(scalar.value)
                || !isNormalized(scalar)
        }
    }

    /// Whether the normalization form KC leaves a letter or sign as it is.
    ///
    /// The standard library knows which ones change under that form together with case folding. So the letter is asked for in
    /// lower case, which folding leaves alone but for ß and the final ς. Four signs have a lower case that is a letter.
    /// Compared with all of Unicode 16; some 280 letters, most of them Cherokee, are held to change, and do not.
    private static func isNormalized(_ scalar: Unicode.Scalar) -> Bool {
        if "ßς".unicodeScalars.contains(scalar) { return true }
        if "\u{3f4}\u{2126}\u{212a}\u{212b}".unicodeScalars.contains(scalar) { return false }
        return scalar.properties.lowercaseMapping.unicodeScalars.allSatisfy {
            !$0.properties.changesWhenNFKCCaseFolded
        }
    }
}

import Diagnostics
import Foundation
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
            "not all clients would send this password alike: SASLprep (RFC 4013) changes or forbids characters in it",
            at: node.location, remedy: "choose one of ASCII letters, digits and signs")
    }

    /// Whether SASLprep leaves a text as it is. Of ASCII, only control characters are forbidden.
    private static func isUnchanged(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0 == " " || !isChanged($0) }
            && text.precomposedStringWithCompatibilityMapping.unicodeScalars.elementsEqual(text.unicodeScalars)
    }

    /// Controls are forbidden; other spaces become that of ASCII; what has no width is dropped (RFC 3454, tables B.1, C.1.2,
    /// C.2 to C.9).
    private static func isChanged(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}

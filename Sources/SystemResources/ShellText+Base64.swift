package import Engine
package import FoundationEssentials
package import Secrets

extension ShellText.StringInterpolation {
    /// A here-document that gives the text to `base64 -d`. All of it is secret when a part of the text is.
    package mutating func appendInterpolation(base64 text: MaskedText) {
        let encoded = Self.encoded(Data(text.reveal().utf8))
        if text.hasSecrets {
            appendDocument { $0.append(Secret(encoded)) }
        } else {
            appendDocument { $0.append(encoded) }
        }
    }

    /// A here-document that gives the content to `base64 -d`.
    package mutating func appendInterpolation(base64 content: Data) {
        appendDocument { $0.append(Self.encoded(content)) }
    }

    /// No line of base64 is the word that ends the document.
    private mutating func appendDocument(_ appendContent: (inout Self) -> Void) {
        append("<<'END_OF_CONTENT'\n")
        appendContent(&self)
        append("\nEND_OF_CONTENT")
    }

    private static func encoded(_ content: Data) -> String {
        content.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    }
}

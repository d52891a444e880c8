import FoundationEssentials
import Secrets

extension MaskedText {
    /// A here-document that gives the text to `base64 -d`, with the line break after it. All of it is secret when a part of
    /// the text is.
    var hereDocument: MaskedText {
        let encoded = Data(reveal().utf8).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        var document: MaskedText = "<<'END_OF_CONTENT'\n"
        if hasSecrets { document.append(Secret(encoded)) } else { document.append(encoded) }
        document.append("\nEND_OF_CONTENT\n")
        return document
    }
}

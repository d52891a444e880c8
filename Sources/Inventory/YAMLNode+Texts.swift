import Diagnostics
import YAML

extension YAMLNode {
    /// Calls `body` with every text in this value, also those of keys and of secrets, but not where a secret comes from.
    func forEachText(_ body: (String, SourceLocation) -> Void) {
        switch value {
        case _ where tag != nil && tag != YAMLNode.secretTag: break
        case .scalar(let text, _): body(text, location)
        case .sequence(let elements): for element in elements { element.forEachText(body) }
        case .mapping(let entries):
            for entry in entries {
                entry.key.forEachText(body)
                entry.value.forEachText(body)
            }
        }
    }
}

extension String {
    /// The first control character, or separator of lines or paragraphs.
    var controlCharacter: Unicode.Scalar? {
        guard utf8.contains(where: { $0 < 0x20 || [0x7F, 0xC2, 0xE2].contains($0) }) else { return nil }
        return unicodeScalars.first {
            [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
    }
}

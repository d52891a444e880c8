public import Secrets

/// A secret in a template's context: `@TemplateSecret var password: Secret`, or `var password: TemplateSecret?`.
///
/// Only templates can code it: any other encoder or decoder gets an error, so that it cannot leak into a file.
@propertyWrapper
public struct TemplateSecret: Hashable, Sendable, Codable {
    public var wrappedValue: Secret

    public init(wrappedValue: Secret) {
        self.wrappedValue = wrappedValue
    }

    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "a secret cannot be decoded"))
    }

    public func encode(to encoder: any Encoder) throws {
        throw EncodingError.invalidValue(
            Secret.mask, .init(codingPath: encoder.codingPath, debugDescription: "a secret cannot be encoded"))
    }
}

/// A value that must never be seen: a password, a private key.
///
/// It prints as `‹secret›` wherever it is printed, interpolated, dumped or reflected, and has no `Codable`
/// conformance, so that it cannot reach a plan, a log or a report by accident. Whoever needs the value asks for
/// it by name, which makes every such place easy to find.
public struct Secret: Hashable, Sendable {
    private let value: String

    public init(_ value: String) {
        self.value = value
    }

    /// What stands for any secret in what people see.
    public static let mask = "‹secret›"

    /// Hands out the value, for a place that keeps it as secret as this type does.
    public func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { Secret.mask }
    public var debugDescription: String { Secret.mask }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// A text of which some pieces are secret: a configuration file that holds a password.
public struct MaskedText: Hashable, Sendable {
    /// A stretch of the text.
    public enum Piece: Hashable, Sendable {
        case plain(String)
        case secret(Secret)
    }

    public private(set) var pieces: [Piece]

    public init(_ text: String = "") {
        pieces = text.isEmpty ? [] : [.plain(text)]
    }

    public mutating func append(_ text: String) {
        guard !text.isEmpty else { return }
        if case .plain(var last) = pieces.last {
            // Taken out, so that what is there already is not copied for each piece that is added.
            pieces.removeLast()
            last += text
            pieces.append(.plain(last))
        } else {
            pieces.append(.plain(text))
        }
    }

    public mutating func append(_ secret: Secret) {
        pieces.append(.secret(secret))
    }

    public mutating func append(_ text: MaskedText) {
        for piece in text.pieces {
            switch piece {
            case .plain(let plain): append(plain)
            case .secret(let secret): append(secret)
            }
        }
    }

    public var hasSecrets: Bool {
        pieces.contains { if case .secret = $0 { true } else { false } }
    }

    /// The whole text with its secrets, for a place that keeps them.
    public func reveal() -> String {
        pieces.map { piece in
            switch piece {
            case .plain(let text): text
            case .secret(let secret): secret.reveal()
            }
        }.joined()
    }
}

extension MaskedText: CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text with every secret masked.
    public var description: String {
        pieces.map { piece in
            switch piece {
            case .plain(let text): text
            case .secret(let secret): secret.description
            }
        }.joined()
    }

    public init(stringLiteral value: String) {
        self.init(value)
    }
}

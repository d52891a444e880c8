/// What is known of a value before there is one.
indirect enum Shape: Hashable, Sendable {
    case text
    case integer
    case boolean
    case secret
    case list(Shape)
    case mapping([String: Shape])
    case optional(Shape)

    /// The shape with an article, for a sentence.
    var description: String {
        switch self {
        case .text: "a string"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .secret: "a secret"
        case .list: "a list"
        case .mapping: "a mapping"
        case .optional(let shape): "\(shape.description) or none"
        }
    }
}

/// A piece of an HTML text. A string gets into it only as text: its special characters are escaped.
package struct HTML: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringInterpolation {
    package let description: String

    private init(raw: String) { description = raw }

    package init(stringLiteral value: String) { description = value }

    package init(stringInterpolation: StringInterpolation) { description = stringInterpolation.text }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        package mutating func appendLiteral(_ literal: String) { text += literal }
        package mutating func appendInterpolation(_ string: String) { text += HTML.escape(string) }
        package mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
        package mutating func appendInterpolation(_ html: HTML) { text += html.description }
        package mutating func appendInterpolation(_ pieces: [HTML]) { text += pieces.map(\.description).joined() }

        /// A length, without digits that nobody sees.
        package mutating func appendInterpolation(_ number: Double) {
            let tenths = Int((number * 10).rounded())
            text +=
                tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
        }
    }

    package static func lines(_ pieces: [HTML]) -> HTML {
        HTML(raw: pieces.map(\.description).filter { !$0.isEmpty }.joined(separator: "\n"))
    }

    /// Text for any place in a page, in attributes too. What no page may hold becomes U+FFFD.
    private static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            default:
                let isControl = scalar.properties.generalCategory == .control
                result.unicodeScalars.append(isControl ? "\u{FFFD}" : scalar)
            }
        }
        return result
    }
}

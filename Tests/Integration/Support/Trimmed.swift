import Foundation

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
    var trimmedLines: [String] { linesOfOutput.map(\.trimmed).filter { !$0.isEmpty } }
}

import Diagnostics
import Secrets

/// Ensures that some lines stand together in a text, between two markers that say whose they are.
struct MarkedLines {
    let markers: Block.Markers
    /// Nil when there shall be neither lines nor markers.
    let content: [MaskedText]?
    /// Where they are inserted when they are not there yet.
    let place: TextPlace

    /// - Throws: `Diagnostic` when only a part of the markers is there, or more than one pair: what is between them may be
    ///   somebody else's.
    func edited(_ lines: [MaskedText]) throws -> [MaskedText] {
        var lines = lines
        let block = content.map { [MaskedText(markers.begin)] + $0 + [MaskedText(markers.end)] } ?? []
        let begins = lines.indices.filter { lines[$0].reveal() == markers.begin }
        let ends = lines.indices.filter { lines[$0].reveal() == markers.end }
        switch (begins.count, ends.count) {
        case (0, 0): lines.insert(contentsOf: block, at: try place.index(in: lines))
        case (1, 1) where begins[0] < ends[0]: lines.replaceSubrange(begins[0]...ends[0], with: block)
        default:
            throw Diagnostic(
                "the markers '\(markers.begin)' and '\(markers.end)' do not stand there once each and in this order",
                remedy: "take away those that are left over")
        }
        return lines
    }
}

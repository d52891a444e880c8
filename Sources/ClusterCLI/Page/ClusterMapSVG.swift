import DroverCLI

/// A map of a cluster as a picture inside a page, whose style sheet colours it. Lengths are those of the picture.
struct ClusterMapSVG {
    enum Form: String {
        /// What the members rely on stands beside them.
        case wide
        /// It stands below them, for a small screen.
        case narrow
    }

    let map: ClusterMap
    let form: Form

    private struct Place {
        let box: ClusterMap.Box
        let x: Double
        let y: Double
        let width: Double
        let height: Double

        var middle: Double { y + height / 2 }
    }

    /// Room on the left for the arrows of routes.
    private static let margin = 34.0
    private static let indent = 30.0
    private static let gap = 24.0
    private static let lineHeight = 18.0
    /// How much room a letter of the details takes.
    private static let letterWidth = 6.9

    private var mainWidth: Double { form == .wide ? 520 : 340 }
    private var asideWidth: Double { form == .wide ? 270 : 340 - Self.margin }
    private var width: Double { form == .wide ? mainWidth + 40 + asideWidth : mainWidth }

    var html: HTML {
        let places = places
        let height = (places.map { $0.y + $0.height }.max() ?? 0) + 4
        let id = "map-\(form.rawValue)"
        return """
            <svg class="\(form.rawValue)" viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="\(id)-title \(id)-text">
            <title id="\(id)-title">Map of the cluster</title>
            <desc id="\(id)-text">\(map.sentences.joined(separator: " "))</desc>
            <defs><marker id="\(id)-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">\
            <path class="head" d="M0 0 8 4 0 8Z"/></marker></defs>
            \(HTML.lines(map.arrows.map { arrow($0, among: places) } + places.map(box)))
            </svg>
            """
    }

    private var places: [Place] {
        var y = 2.0
        var places: [Place] = []
        func place(_ box: ClusterMap.Box, x: Double, width: Double) {
            let height = 28 + Double(box.details.count) * Self.lineHeight
            places.append(Place(box: box, x: x, y: y, width: width, height: height))
            y += height + Self.gap
        }
        for box in map.path {
            let x = Self.margin + Double(box.depth) * Self.indent
            place(box, x: x, width: mainWidth - x - 2)
        }
        if form == .wide { y = 2 }
        for box in map.aside {
            place(box, x: form == .wide ? mainWidth + 40 : Self.margin, width: asideWidth - 2)
        }
        return places
    }

    private func box(_ place: Place) -> HTML {
        let box = place.box
        let texts = [box.title] + box.details
        let lines = texts.enumerated().map { index, text -> HTML in
            let shown = Text.cut(text, Int((place.width - 20) / Self.letterWidth))
            return """
                <text class="\(index == 0 ? "name" : "detail")" x="\(place.x + 10)" \
                y="\(place.y + 20 + Double(index) * Self.lineHeight)">\(shown)</text>
                """
        }
        return """
            <g class="box \(box.look.rawValue)"><title>\(texts.joined(separator: ", "))</title>\
            <rect x="\(place.x)" y="\(place.y)" width="\(place.width)" height="\(place.height)" rx="6"/>\(lines)</g>
            """
    }

    private func arrow(_ arrow: ClusterMap.Arrow, among places: [Place]) -> HTML {
        guard let from = places.first(where: { $0.box.id == arrow.from }),
            let to = places.first(where: { $0.box.id == arrow.to })
        else { return "" }
        let head: HTML = "marker-end=\"url(#map-\(form.rawValue)-head)\""
        switch arrow.kind {
        case .route:
            // The VIP's arrow is left of those of the balancers, which share one.
            let lane = arrow.from == "vip" ? 8.0 : 20.0
            return """
                <path class="arrow route" d="M\(from.x) \(from.middle)H\(lane)V\(to.middle)H\(to.x - 1)" \(head)/>
                """
        case .replication:
            let x = from.x + 14
            return """
                <path class="arrow replication" d="M\(x) \(from.y + from.height)V\(to.middle)H\(to.x - 1)" \(head)/>\
                <text class="lag" x="\(to.x + 4)" y="\(to.y - 7)">\(arrow.label)</text>
                """
        }
    }
}

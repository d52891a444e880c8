/// A timeline as a picture inside a page, whose style sheet colours it.
struct TimelineSVG {
    let timeline: Timeline

    private static let rowHeight = 26.0
    private static let barHeight = 16.0
    private static let axisHeight = 26.0
    /// How much room a letter of a host's name takes.
    private static let letterWidth = 7.6
    /// How many colours the style sheet has for plays.
    static let colourCount = 9

    private var labelWidth: Double {
        Double(timeline.hosts.map { DisplayWidth.of($0) }.max() ?? 0) * Self.letterWidth + 16
    }

    private var bottom: Double { Double(timeline.hosts.count) * Self.rowHeight }

    var html: HTML {
        if timeline.hosts.isEmpty { return "" }
        let (width, height) = (labelWidth + Timeline.width + 24, bottom + Self.axisHeight)
        return """
            <figure class="timeline">
            <svg viewBox="0 0 \(width) \(height)" role="img" aria-label="What each host did, over time">
            \(HTML.lines(rows + ticks + barriers + bars))
            </svg>
            <figcaption>\(legend)</figcaption>
            </figure>
            """
    }

    private var rows: [HTML] {
        timeline.hosts.enumerated().map { index, host in
            let y = Double(index) * Self.rowHeight
            return """
                <line class="row" x1="0" y1="\(y + Self.rowHeight)" x2="\(labelWidth + Timeline.width)" \
                y2="\(y + Self.rowHeight)"/><text class="host" x="0" y="\(y + 17)">\(host)</text>
                """
        }
    }

    private var ticks: [HTML] {
        timeline.ticks.map { tick in
            let x = labelWidth + tick.x
            return """
                <line class="tick" x1="\(x)" y1="0" x2="\(x)" y2="\(bottom)"/>\
                <text class="tick" x="\(x)" y="\(bottom + 17)">\(tick.label)</text>
                """
        }
    }

    private var barriers: [HTML] {
        timeline.barriers.map { barrier in
            let x = labelWidth + barrier.x
            return """
                <line class="barrier" x1="\(x)" y1="0" x2="\(x)" y2="\(bottom)"><title>\(barrier.label)</title></line>
                """
        }
    }

    private var bars: [HTML] {
        timeline.bars.map { bar in
            let y = Double(bar.row) * Self.rowHeight + (Self.rowHeight - Self.barHeight) / 2
            return """
                <rect class="\(Self.style(of: bar.kind))" x="\(labelWidth + bar.x)" y="\(y)" width="\(bar.width)" \
                height="\(Self.barHeight)" rx="2"><title>\(bar.title)</title></rect>
                """
        }
    }

    private var legend: HTML {
        let plays = timeline.plays.enumerated().map { index, play -> HTML in
            "<span><i class=\"\(Self.style(of: .step(play: index)))\"></i>\(play)</span>"
        }
        let kinds = Set(timeline.bars.map { Self.style(of: $0.kind) })
        let others = [
            ("phase", "looking, connecting"), ("phase trouble", "waiting for another run, connecting again"),
            ("step bad", "failed or interrupted"),
        ].filter { kinds.contains($0.0) }.map { "<span><i class=\"\($0)\"></i>\($1)</span>" as HTML }
        return .lines(plays + others)
    }

    private static func style(of kind: Timeline.Bar.Kind) -> String {
        switch kind {
        case .step(let play): "step c\(play % colourCount)"
        case .failedStep: "step bad"
        case .phase("waitingForLock"), .phase("reconnecting"): "phase trouble"
        case .phase: "phase"
        }
    }
}

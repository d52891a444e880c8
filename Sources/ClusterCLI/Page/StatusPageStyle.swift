import DroverCLI

/// What the page about a cluster adds to the look of a report.
enum StatusPageStyle {
    static let sheet: HTML = """
        .chip.warn { color: var(--warn) } .chip.info, .status.info { color: var(--hunk) }
        .chip.bad { background: var(--bad-back) }
        article.warn { border-left-color: var(--warn); background: var(--card); color: inherit }
        article.info { border-left-color: var(--hunk) }
        article h3 { font-weight: 600; overflow-wrap: anywhere }
        article .advice { margin-top: .4rem; overflow-wrap: anywhere }
        a { color: var(--hunk) }
        .scrolls { overflow-x: auto }
        table.parts th, table.parts td { text-align: left; white-space: nowrap }
        .map { margin: 0 }
        .map svg { display: block; width: 100%; height: auto }
        .map svg.wide { max-width: 52rem } .map svg.narrow { display: none; max-width: 26rem }
        .map rect { fill: var(--card); stroke: var(--soft); stroke-width: 1.2 }
        .map rect:hover { opacity: 1 }
        .map .leader rect { stroke: var(--good); stroke-width: 3 }
        .map .bad rect { stroke: var(--bad); stroke-width: 1.8; stroke-dasharray: 6 4 }
        .map text { font: 13px system-ui, sans-serif; fill: var(--text) }
        .map text.name { font-size: 14px; font-weight: 600 }
        .map .bad text.name { fill: var(--bad) }
        .map text.lag { font-size: 12.5px; fill: var(--hunk) }
        .map .arrow { fill: none; stroke: var(--soft); stroke-width: 1.6 }
        .map .arrow.replication { stroke: var(--hunk); stroke-width: 2 }
        .map .head { fill: context-stroke }
        @media (max-width: 40rem) { .map svg.wide { display: none } .map svg.narrow { display: block } }
        """
}

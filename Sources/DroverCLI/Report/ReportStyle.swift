/// What a report looks like: light or dark as the reader likes it, and on paper.
package enum ReportStyle {
    package static let sheet: HTML = """
        :root { color-scheme: light dark; --back: #fff; --card: #f6f7f9; --text: #1c2128; --soft: #646e7b;
          --line: #dfe3e8; --good: #1a7f4b; --warn: #9a6200; --bad: #c62f2f; --good-back: #e3f5ea;
          --warn-back: #fdf1d8; --bad-back: #fde8e7; --hunk: #2b6cb0; --phase: #c3cad3;
          --c0: #3b7dd8; --c1: #d9822b; --c2: #2a9d6f; --c3: #8e63ce; --c4: #c2498a; --c5: #1d9bb0;
          --c6: #8a8d1f; --c7: #a8643f; --c8: #5a6acf }
        @media (prefers-color-scheme: dark) { :root { --back: #14171c; --card: #1c2127; --text: #dde2e8;
          --soft: #939daa; --line: #323942; --good: #5fcb92; --warn: #e3b25c; --bad: #ff8078; --good-back: #173426;
          --warn-back: #3a2d12; --bad-back: #43201f; --hunk: #7db4ee; --phase: #4a535f;
          --c0: #6ca4f0; --c1: #eca25a; --c2: #4fc394; --c3: #b18df0; --c4: #e578b3; --c5: #4cc3d6;
          --c6: #bfc24c; --c7: #d0946f; --c8: #8b98f2 } }
        * { box-sizing: border-box }
        body { margin: 0 auto; max-width: 68rem; padding: 2.5rem 1.5rem 4rem; background: var(--back);
          color: var(--text); font: 15px/1.5 system-ui, sans-serif }
        h1 { margin: 0; font-size: 1.7rem; line-height: 1.25; letter-spacing: -.01em }
        h1 small { display: block; font-size: .85rem; font-weight: 500; color: var(--soft); letter-spacing: .02em }
        h2 { margin: 2.6rem 0 .8rem; font-size: 1.1rem }
        h3 { margin: 1.4rem 0 .4rem; font-size: .95rem }
        h4 { margin: .8rem 0 .2rem; font-size: .75rem; font-weight: 600; color: var(--soft) }
        pre, .source, .what { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .82rem }
        pre { margin: 0; padding: .6rem .8rem; overflow-x: auto; background: var(--back); line-height: 1.45;
          border: 1px solid var(--line); border-radius: 6px; tab-size: 4 }
        header dl { display: flex; flex-wrap: wrap; gap: .6rem 2.2rem; margin: 1.2rem 0 0; padding: 1rem 0 0;
          border-top: 1px solid var(--line) }
        dt { font-size: .75rem; color: var(--soft) }
        dd { margin: 0; overflow-wrap: anywhere }
        .status, .chip { display: inline-block; border-radius: 99px; background: var(--card); white-space: nowrap }
        .status { padding: .15rem .7rem; font-size: .85rem; font-weight: 600; vertical-align: .2em;
          letter-spacing: 0 }
        .chip { padding: 0 .5rem; font-size: .75rem; line-height: 1.5; color: var(--soft); font-weight: 500 }
        .chip small { opacity: .75; font-size: inherit; font-variant-numeric: tabular-nums }
        .good { color: var(--good); background: var(--good-back) }
        .warn { color: var(--warn); background: var(--warn-back) }
        .status.bad, .chip.bad { color: var(--bad); background: var(--bad-back) }
        .error { margin-top: 1.6rem; color: var(--bad); background: var(--bad-back); border-color: transparent;
          white-space: pre-wrap }
        article { margin: 0 0 1rem; padding: .9rem 1.1rem 1rem; background: var(--card); border-radius: 8px;
          border-left: 4px solid var(--bad) }
        article h3 { margin: 0 } article pre { white-space: pre-wrap; overflow-wrap: anywhere }
        article p { margin: .2rem 0 0 }
        article .advice { margin-top: .8rem }
        .source { color: var(--soft) }
        table { border-collapse: collapse; font-variant-numeric: tabular-nums }
        th, td { padding: .3rem 1.4rem .3rem 0; text-align: right; border-bottom: 1px solid var(--line) }
        th { font-weight: 500 }
        thead th { font-size: .75rem; color: var(--soft) }
        th[scope=row] { text-align: left; font-weight: 600 }
        td.none { color: var(--soft); opacity: .55 }
        td.ok, td.changed, td.unreachable, td.failed, td.skipped { font-weight: 600 }
        td.ok { color: var(--good) } td.changed { color: var(--warn) } td.skipped { color: var(--c5) }
        td.unreachable, td.failed { color: var(--bad) }
        .slowest { width: 100% }
        .slowest td:last-child { width: 100%; text-align: left; overflow-wrap: anywhere }
        .slowest .number { white-space: nowrap }
        .share i { display: block; height: .5rem; border-radius: 2px; background: var(--c0) }
        .share { min-width: 9rem }
        .timeline { margin: 0; overflow-x: auto }
        .timeline svg { display: block; width: 100%; min-width: 46rem; height: auto }
        .timeline text { font: 12px system-ui, sans-serif; fill: var(--text) }
        .timeline text.host { font-weight: 600 }
        .timeline text.tick { fill: var(--soft); text-anchor: middle }
        .timeline line { stroke: var(--line) }
        .timeline line.tick { stroke-dasharray: 1 4 }
        .timeline line.barrier { stroke: var(--soft); stroke-dasharray: 4 3 }
        rect { stroke: var(--back); stroke-width: .8 }
        rect.phase { fill: var(--phase); opacity: .75 }
        rect.trouble { fill: var(--warn) }
        rect:hover { opacity: .7 }
        figcaption { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; margin-top: .5rem; font-size: .8rem;
          color: var(--soft) }
        figcaption i { display: inline-block; width: .7rem; height: .7rem; margin-right: .35rem; border-radius: 2px }
        i.phase { background: var(--phase) } i.trouble { background: var(--warn) } i.bad { background: var(--bad) }
        rect.bad { fill: var(--bad) }
        \(colours)
        .changes { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line) }
        .changes li { padding: .35rem 0; border-bottom: 1px solid var(--line) }
        .changes li > div, summary { display: grid; grid-template-columns: 1.1rem 1fr auto; align-items: baseline }
        .changes li > div::before { content: "" }
        .changes .what { margin-right: .5rem; overflow-wrap: anywhere }
        .changes .source { margin-left: 1.5rem; font-size: .75rem }
        summary { cursor: pointer; list-style: none }
        summary::-webkit-details-marker { display: none }
        summary::before { content: "▸"; color: var(--soft) }
        details[open] > summary::before { content: "▾" }
        summary:hover .what { text-decoration: underline }
        .diff { margin: .4rem 0 .4rem 1.1rem; padding: .4rem 0 }
        .diff > * { display: block; min-width: max-content; padding: 0 .8rem; text-decoration: none }
        .diff ins { color: var(--good); background: var(--good-back) }
        .diff del { color: var(--bad); background: var(--bad-back) }
        .diff b { font-weight: 400; color: var(--hunk) }
        .note { margin: .2rem 0; padding-left: .7rem; border-left: 3px solid var(--warn) }
        @media (max-width: 40rem) { body { padding: 1.2rem 1rem } section { overflow-x: auto }
          .changes li > div, summary { grid-template-columns: 1.1rem 1fr }
          .changes .source { grid-column: 2; margin-left: 0 } .share { display: none } }
        @media print { body { max-width: none; padding: 0; font-size: 10pt }
          * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
          h2, h3 { break-after: avoid } article, tr, li, figure { break-inside: avoid }
          pre { white-space: pre-wrap } details::details-content { content-visibility: visible; height: auto }
          .diff > * { min-width: 0 } .timeline svg { min-width: 0 } }
        """

    private static let colours = HTML.lines(
        (0..<TimelineSVG.colourCount).map {
            "i.c\($0) { background: var(--c\($0)) } rect.c\($0) { fill: var(--c\($0)) }"
        })
}

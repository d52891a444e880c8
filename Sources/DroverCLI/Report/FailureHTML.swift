/// A failure on a page.
struct FailureHTML {
    let account: FailureAccount

    var html: HTML {
        """
        <article>
        <h3>\(account.title) \(account.hosts.map { "<span class=\"chip bad\">\($0)</span> " as HTML })</h3>
        \(HTML.lines(details))
        </article>
        """
    }

    private var details: [HTML] {
        let place: HTML = account.place.isEmpty ? "" : "<p class=\"source\">\(account.place)</p>"
        let outputs = account.quotations.map { quotation in
            block("Output\(quotation.place(among: account.hosts))", quotation.lines)
        }
        return [place, block("Still to change", account.wanted), block("Command", account.command)] + outputs
            + [block("Not begun", account.notBegun), "<p class=\"advice\">→ \(account.advice)</p>"]
    }

    private func block(_ title: String, _ lines: [String]) -> HTML {
        lines.isEmpty ? "" : "<h4>\(title)</h4>\n<pre>\(lines.joined(separator: "\n"))</pre>"
    }
}

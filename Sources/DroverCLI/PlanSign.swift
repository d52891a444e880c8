import Engine

/// The sign before a change in a plan. It shows the kind without colours, too.
struct PlanSign {
    let kind: Change.Kind
    let style: Style

    var text: String {
        switch kind {
        case .create: style.green("+")
        case .change: style.yellow("~")
        case .remove: style.red("-")
        case .restart: style.magenta("↻")
        case .stop: style.red("■")
        case .wait: style.faint("…")
        }
    }
}

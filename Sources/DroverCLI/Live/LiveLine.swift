/// A line of the live region: its text, colours included, and how many columns it takes.
struct LiveLine: Hashable {
    let text: String
    let width: Int
}

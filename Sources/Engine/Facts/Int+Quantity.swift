extension Int {
    /// A number of things, bytes or seconds, as a host tells it; nil for what is none, or is beyond a million billions: with
    /// numbers that a host has made up, arithmetic must not overflow.
    public init?(quantity text: some StringProtocol) {
        guard let number = Int(text), number.magnitude <= 1_000_000_000_000_000 else { return nil }
        self = number
    }
}

/// A host of a lab.
public struct LabHost: Hashable, Sendable {
    /// Whether a host has power and a network cable.
    public enum State: String, Sendable {
        /// It has both.
        case running
        /// It has no power.
        case stopped
        /// It has power, and its network cable is out.
        case cut
    }

    /// `pg1`, `pg2` and so on, which is also its host name.
    public var name: String
    /// Its address, from 10.70.0.11 on.
    public var address: String
    public var state: State

    public init(name: String, address: String, state: State) {
        self.name = name
        self.address = address
        self.state = state
    }
}

import FoundationEssentials

/// The name of a recovery, by the clock of this machine: what is set aside has it in its name.
public enum RecoveryMark {
    /// `20261122T150405Z`.
    public static func now() -> String {
        Date().formatted(.iso8601).filter { !"-:".contains($0) }
    }
}

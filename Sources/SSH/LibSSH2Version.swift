/// The version of libssh2 on this machine.
public enum LibSSH2Version {
    /// For example `1.10.0`.
    public static var current: String { Library.version }
}

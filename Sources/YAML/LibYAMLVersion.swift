import CLibYAML

/// The version of libyaml on this machine.
public enum LibYAMLVersion {
    /// For example `0.2.5`.
    public static var current: String { String(cString: yaml_get_version_string()) }
}

public import ArgumentParser

/// Which checks a person leaves out.
public struct PreflightOptions: ParsableArguments, Sendable {
    @Option(help: "Leave out this check of the hosts before anything is touched; several are named one by one.")
    public var skipPreflight: [String] = []

    public init() {}

    /// The checks that are left out: of the names those that there are, for ``check()`` has refused the others.
    public var waived: Set<PreflightCheck> { Set(skipPreflight.compactMap { PreflightCheck(rawValue: $0) }) }

    /// - Throws: `Diagnostics` with every name that there is not.
    public func check() throws { try PreflightCheck.check(skipPreflight) }
}

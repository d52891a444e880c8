import Foundation

/// The Debian of the hosts of a lab.
enum LabRelease: String {
    case bookworm, trixie

    /// The one that `DROVER_RELEASE` names, on which tests run that name none: `make smoke RELEASE=trixie`.
    static let current =
        ProcessInfo.processInfo.environment["DROVER_RELEASE"].map { name in
            LabRelease(rawValue: name) ?? { preconditionFailure("DROVER_RELEASE is '\(name)'") }()
        } ?? .bookworm

    var version: String { self == .bookworm ? "12" : "13" }

    /// The words of `drover lab` that make hosts.
    func up(_ hosts: Int, _ name: String) -> [String] { ["up", "\(hosts)", "--release", rawValue, "--name", name] }

    /// Where PostgreSQL's own programs are.
    var binaryDirectory: String { "/usr/lib/postgresql/\(self == .bookworm ? 15 : 17)/bin" }
}

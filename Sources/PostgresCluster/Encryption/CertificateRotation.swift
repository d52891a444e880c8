import Diagnostics
import FoundationEssentials
import Secrets
import YAML

/// The file `certificates.yml` of a cluster: since when all certificates and their keys must be new.
struct CertificateRotation: Sendable {
    let path: String
    /// In seconds since 1970; nil if they were never rotated.
    let moment: Int?
    private let stored: String?

    /// Reads the file if there is one.
    ///
    /// - Throws: a `Diagnostic` if it cannot be read.
    init(in folder: String) throws {
        path = "\(folder)/certificates.yml"
        guard FileManager.default.fileExists(atPath: path) else {
            (moment, stored) = (nil, nil)
            return
        }
        let text = try TextFile.read(path)
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        guard lines.count == 1, lines[0].hasPrefix(Self.key), let moment = Int(lines[0].dropFirst(Self.key.count))
        else {
            throw Diagnostic(
                "'\(path)' is not as Drover writes it", remedy: "delete it, and rotate the certificates again")
        }
        (self.moment, stored) = (moment, text)
    }

    private static let key = "replaced_before: "

    /// The file after a rotation.
    ///
    /// - Parameter now: seconds since 1970.
    func file(at now: Int) -> SecretFile {
        SecretFile(
            path: path,
            content: Secret(
                "# Written by Drover: certificates from before this second since 1970 get a new key.\n\(Self.key)\(now)\n"
            ),
            replaced: stored.map { Secret($0) })
    }
}

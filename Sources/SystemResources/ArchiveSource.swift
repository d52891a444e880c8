import Crypto
import Diagnostics
import Engine
import FoundationEssentials

/// Where an ``Archive`` comes from.
public struct ArchiveSource: Hashable, Sendable {
    enum Place: Hashable, Sendable {
        case url(String)
        case host(String)
        case controller(path: String, content: Data)
    }

    /// How large an archive may be that is sent by Drover itself, in bytes.
    private static let limit = 4 * 1024 * 1024

    let place: Place
    /// SHA-256 in hexadecimal.
    public let digest: String

    private init(_ place: Place, digest: String) throws {
        self.place = place
        self.digest = digest.lowercased()
        guard digest.wholeMatch(of: /[0-9A-Fa-f]{64}/) != nil else {
            throw Diagnostic("'\(digest)' is no SHA-256", remedy: "write the 64 digits that 'sha256sum' prints")
        }
    }

    /// An archive that the host fetches, with `curl`, which must be there. Its digest vouches for it.
    public static func url(_ url: String, sha256: String) throws -> ArchiveSource {
        guard url.wholeMatch(of: /(https?|ftp|file):\/\/[^\s"\\]+/) != nil else {
            throw Diagnostic("'\(url)' is no URL that curl can fetch", remedy: "write it as https://…")
        }
        return try ArchiveSource(.url(url), digest: sha256)
    }

    /// An archive that stands on the host.
    public static func host(_ path: String, sha256: String) throws -> ArchiveSource {
        try HostPath.check(path, of: "archive")
        return try ArchiveSource(.host(path), digest: sha256)
    }

    /// An archive on this machine, of 4 MiB at most, that is sent to the host.
    public static func controller(_ path: String) throws -> ArchiveSource {
        guard let content = FileManager.default.contents(atPath: path) else {
            throw Diagnostic("the archive '\(path)' cannot be read")
        }
        guard content.count <= limit else {
            throw Diagnostic(
                "the archive '\(path)' has \(content.count) bytes; up to \(limit) are sent",
                remedy: "let the hosts fetch it from a URL")
        }
        return try ArchiveSource(
            .controller(path: path, content: content), digest: SHA256.hash(data: content).hexadecimal)
    }

    /// What tells people, and by its ending the format, which archive it is.
    var location: String {
        switch place {
        case .url(let url): url
        case .host(let path), .controller(let path, _): path
        }
    }
}

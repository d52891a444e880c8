import FoundationEssentials

/// What the known hosts files say.
struct KnownHosts {
    let lines: [KnownHostsLine]

    /// - Parameter file: how the text's file is called in messages.
    init(_ text: String, file: String) {
        // On bytes, because "\r\n" is one Character.
        lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .compactMap { KnownHostsLine(String(decoding: $1, as: UTF8.self), place: "\(file):\($0 + 1)") }
    }

    /// Reads the files that exist, in their order.
    init(files: [String]) throws(SSHError) {
        var lines: [KnownHostsLine] = []
        for file in files {
            let path = SSHOptions.expandingHome(file)
            guard FileManager.default.fileExists(atPath: path) else { continue }
            guard let data = FileManager.default.contents(atPath: path) else {
                throw SSHError(
                    .hostKeyUnknown, "the known hosts file \(file) cannot be read", remedy: "check its permissions")
            }
            lines += KnownHosts(String(decoding: data, as: UTF8.self), file: file).lines
        }
        self.lines = lines
    }

    /// What the files say about a presented key.
    enum Verdict: Hashable {
        case trusted
        /// No key of this type is known; `others` are the host's lines with other types.
        case unknown(others: [KnownHostsLine])
        case changed(KnownHostsLine)
        case revoked(KnownHostsLine)
    }

    func verdict(on key: HostKey, of destination: SSHDestination) -> Verdict {
        let named = lines.filter { $0.marker != .certAuthority && $0.names(destination.knownHostsName) }
        if let line = named.first(where: { $0.marker == .revoked && $0.key == key }) { return .revoked(line) }
        let keys = named.filter { $0.marker == nil }
        if keys.contains(where: { $0.key == key }) { return .trusted }
        if let line = keys.first(where: { $0.key.type == key.type }) { return .changed(line) }
        return .unknown(others: keys)
    }

    /// The first line that names an authority which signs the keys of a host.
    func authority(of destination: SSHDestination) -> KnownHostsLine? {
        lines.first { $0.marker == .certAuthority && $0.names(destination.knownHostsName) }
    }

    /// The types of the keys by which a host is known.
    func keyTypes(of destination: SSHDestination) -> Set<String> {
        Set(lines.filter { $0.marker == nil && $0.names(destination.knownHostsName) }.map(\.key.type))
    }
}

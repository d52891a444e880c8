/// The algorithms that a host says it can do.
///
/// libssh2 keeps them to itself, but they are the first thing that a host sends, and not yet encrypted.
/// Source: RFC 4253, sections 4.2, 6 and 7.1.
struct AlgorithmOffer {
    /// What algorithms are for, each by its word in sshd_config(5).
    enum Purpose: Int, CaseIterable {
        case keyExchange = 0
        case hostKey = 1
        case cipher = 3
        case authentication = 5

        var setting: String {
            switch self {
            case .keyExchange: "KexAlgorithms"
            case .hostKey: "HostKeyAlgorithms"
            case .cipher: "Ciphers"
            case .authentication: "MACs"
            }
        }
    }

    private let lists: [[String]]

    /// - Parameter bytes: the first that a host has sent.
    /// - Returns: nil when its offer is not among them.
    init?(in bytes: [UInt8]) {
        var rest = bytes[...]
        // Other lines may come before that of the version.
        while !rest.starts(with: "SSH-".utf8) {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            rest = rest[(end + 1)...]
        }
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        var packet = SSHWireReader(rest[(end + 1)...])
        guard packet.number() != nil, packet.byte() != nil, packet.byte() == 20 else { return nil }
        for _ in 0..<16 where packet.byte() == nil { return nil }
        var lists: [[String]] = []
        while lists.count < 8 {
            guard let list = packet.string() else { return nil }
            lists.append(String(decoding: list, as: UTF8.self).split(separator: ",").map(String.init))
        }
        self.lists = lists
    }

    subscript(purpose: Purpose) -> [String] { lists[purpose.rawValue] }

    /// Says what is missing: each purpose for which nothing is common, with both lists.
    ///
    /// - Parameter own: the algorithms that we can do.
    /// - Returns: nil when something is common for all purposes.
    func discord(with own: (Purpose) -> [String]) -> String? {
        let parts = Purpose.allCases.filter { purpose in
            !self[purpose].contains(where: own(purpose).contains)
        }.map { purpose in
            "\(purpose.setting) here \(own(purpose).joined(separator: ",")) and there \(self[purpose].joined(separator: ","))"
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }
}

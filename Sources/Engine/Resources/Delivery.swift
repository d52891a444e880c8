/// A file of this machine that must stand on a host before a change is made there. It is sent only when it does not.
public struct Delivery: Hashable, Sendable {
    /// Where it is on this machine.
    public let file: String
    /// Where it is to be on the host, absolute.
    public let path: String
    /// In bytes.
    public let size: Int
    /// SHA-256 in hexadecimal.
    public let digest: String

    public init(_ file: String, to path: String, size: Int, digest: String) {
        self.file = file
        self.path = path
        self.size = size
        self.digest = digest
    }

    var folder: String { "/" + path.split(separator: "/").dropLast().joined(separator: "/") }

    /// The shell text that prints which of these files stand on the host as they should, by their place in the list.
    static func look(for deliveries: [Delivery]) -> ShellText {
        "is_there() { [ -f \"$2\" ] && said=$(sha256sum <\"$2\") && [ \"${said%% *}\" = \"$3\" ] && echo \"$1\"; }\n"
            + deliveries.enumerated().map { index, delivery in
                "is_there \(index) \(quoting: delivery.path) \(quoting: delivery.digest)\n"
            }.joined() + ":\n"
    }

    /// The shell text that writes a piece of the file. It may be run again: whatever stands behind the offset goes first.
    ///
    /// - Parameter piece: in base64, with lines.
    func script(writing piece: String, at offset: Int) -> ShellText {
        let part = ShellText.quoting(path + ".part")
        return """
            set -e
            mkdir -p -- \(quoting: folder)
            truncate -s \(offset) -- \(part)
            base64 -d >>\(part) <<'END_OF_CONTENT'
            \(trusted: piece, because: "base64 has no character that the shell or a here-document takes for its own")
            END_OF_CONTENT
            """
    }

    /// The shell text that gives the file its name when it is complete.
    var closing: ShellText {
        let part = ShellText.quoting(path + ".part")
        return """
            set -e
            said=$(sha256sum <\(part))
            [ "${said%% *}" = \(quoting: digest) ] || { rm -f -- \(part); echo "it changed on its way"; exit 1; }
            sync -- \(part)
            mv -f -- \(part) \(quoting: path)
            """
    }
}

/// A file did not come to a host.
struct DeliveryFailure: Error, CustomStringConvertible {
    let description: String
}

public import Engine

/// What a host is: its system, its machine, its addresses and file systems at this moment.
public struct HostProfile: Fact {
    /// The properties of a host.
    public struct Answer: Codable, Hashable, Sendable {
        public var name = ""
        /// As the system calls itself: `Debian GNU/Linux 12 (bookworm)`.
        public var system = ""
        /// Its identifier in os-release(5), such as `debian`, and its version, such as `12`.
        public var distribution = ""
        public var version = ""
        public var kernel = ""
        public var architecture = ""
        /// What process 1 is, such as `systemd`.
        public var serviceManager = ""
        /// As systemd-detect-virt says, such as `kvm`; `none` for a machine of its own.
        public var virtualization = ""
        public var timeZone = ""
        public var processors = 0
        public var processorModel = ""
        /// In bytes.
        public var memory = 0
        public var availableMemory = 0
        public var swap = 0
        /// Seconds since it was started.
        public var uptime = 0.0
        public var addresses: [Address] = []
        public var fileSystems: [FileSystem] = []

        public init() {}
    }

    /// An address of a network interface.
    public struct Address: Codable, Hashable, Sendable {
        public var interface: String
        /// With its prefix: `10.0.0.1/24`.
        public var address: String
    }

    /// A mounted file system.
    public struct FileSystem: Codable, Hashable, Sendable {
        public var path: String
        public var kind: String
        /// In bytes.
        public var size: Int
        public var free: Int
    }

    public init() {}

    public static func script(for questions: [HostProfile]) -> ShellText {
        #"""
        p() { printf '%s\t%s\n' "$1" "$2"; }
        p name "$(uname -n)"
        p kernel "$(uname -sr)"
        p architecture "$(uname -m)"
        (. /etc/os-release; p system "$PRETTY_NAME"; p distribution "$ID"; p version "$VERSION_ID") 2>/dev/null
        p serviceManager "$(cat /proc/1/comm 2>/dev/null)"
        p virtualization "$(systemd-detect-virt 2>/dev/null)"
        p timeZone "$(readlink /etc/localtime | sed 's,.*/zoneinfo/,,')"
        p processors "$(getconf _NPROCESSORS_ONLN)"
        p processorModel "$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)"
        p uptime "$(cut -d ' ' -f 1 /proc/uptime)"
        sed -n 's/^\(MemTotal\|MemAvailable\|SwapTotal\): *\([0-9]*\) kB/\1\t\2/p' /proc/meminfo
        ip -oneline address show scope global 2>/dev/null | while read -r _ i _ a _; do p address "$i $a"; done
        df -PTk 2>/dev/null | while read -r d t s _ f _ m; do p fileSystem "$t $s $f $d $m"; done
        """#
    }

    public static func answers(to questions: [HostProfile], from output: String) throws -> [HostProfile: Answer] {
        var answer = Answer()
        for line in output.linesOfText {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else { throw UnreadableAnswer(HostProfile.self, line) }
            answer.take(parts[0], parts[1])
        }
        guard !answer.name.isEmpty else { throw UnreadableAnswer(HostProfile.self, output) }
        return [HostProfile(): answer]
    }
}

extension HostProfile.Answer {
    fileprivate mutating func take(_ key: String, _ value: String) {
        let kibibytes = (Int(quantity: value) ?? 0) * 1024
        switch key {
        case "name": name = value
        case "kernel": kernel = value
        case "architecture": architecture = value
        case "system": system = value
        case "distribution": distribution = value
        case "version": version = value
        case "serviceManager": serviceManager = value
        case "virtualization": virtualization = value
        case "timeZone": timeZone = value
        case "processors": processors = Int(value) ?? 0
        case "processorModel": processorModel = value
        case "uptime": uptime = Double(value) ?? 0
        case "MemTotal": memory = kibibytes
        case "MemAvailable": availableMemory = kibibytes
        case "SwapTotal": swap = kibibytes
        case "address":
            let words = value.split(separator: " ").map(String.init)
            if words.count == 2 { addresses.append(.init(interface: words[0], address: words[1])) }
        case "fileSystem": takeFileSystem(value)
        default: break
        }
    }

    /// Those that hold data: what is kept in memory, or made up by the kernel, is left out.
    private mutating func takeFileSystem(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 4).map(String.init)
        guard words.count == 5, let size = Int(quantity: words[1]), let free = Int(quantity: words[2]),
            words[4] == "/" || words[3].hasPrefix("/") || ["zfs", "btrfs"].contains(words[0])
        else { return }
        fileSystems.append(.init(path: words[4], kind: words[0], size: size * 1024, free: free * 1024))
    }
}

import Diagnostics
public import YAML

extension SystemSettings {
    /// One of `scheduler`: how the kernel orders what is read from a disk and written to it.
    public struct DiskScheduler: Sendable, Equatable {
        /// The name of the disk in `/sys/block`.
        public let device: String
        public let scheduler: String
        /// How many requests wait at most; nil leaves that as it is.
        public let requests: Int?

        /// Those of the kernels of Debian 12 and 13.
        static let known = ["mq-deadline", "none", "bfq", "kyber"]
        /// What has become of those of older kernels.
        static let successors = ["deadline": "mq-deadline", "noop": "none", "cfq": "bfq"]
    }
}

extension SystemSettings.DiskScheduler: YAMLDecodable {
    /// `{ sched: mq-deadline, nr_requests: 1024, device: sda }`.
    public init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a scheduler")
        let scheduler: String? = reader.required("sched")
        let device: String? = reader.required("device")
        let requests: Int? = reader.optional("nr_requests")
        if let device, device.wholeMatch(of: /[A-Za-z0-9_-]+/) == nil {
            reader.diagnostics.report(
                "'\(device)' is no disk", at: node.location, remedy: "write its name in /sys/block, such as sda")
        }
        let (name, disk) = try reader.finish(scheduler, device)
        self.init(device: disk, scheduler: name, requests: requests)
    }
}

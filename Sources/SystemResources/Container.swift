import Engine

/// Whether a host is a container, to which the kernel belongs only in part. systemd leaves a file with the name of the
/// container's manager (systemd, "The Container Interface").
enum Container {
    static let sign = FileStatus("/run/systemd/container")

    static func isHost(_ facts: Facts) throws -> Bool { try facts[sign] != nil }
}

import SystemResources

extension SampleSystem {
    /// A host with a fresh Debian 12 "bookworm" and an SSH server, and nothing else.
    public static let bareDebian12 = debian("12", "bookworm", systemd: "252.39-1~deb12u1")

    /// A host with a fresh Debian 13 "trixie" and an SSH server, and nothing else.
    public static let bareDebian13 = debian("13", "trixie", systemd: "257.9-1~deb13u1")

    private static func debian(_ version: String, _ codename: String, systemd: String) -> SampleSystem {
        var profile = HostProfile.Answer()
        profile.name = "sample"
        profile.system = "Debian GNU/Linux \(version) (\(codename))"
        profile.distribution = "debian"
        profile.version = version
        profile.architecture = "x86_64"
        profile.serviceManager = "systemd"
        profile.timeZone = "Etc/UTC"
        profile.processors = 2
        profile.memory = 4 << 30
        profile.availableMemory = 3 << 30
        return SampleSystem(profile: profile)
            .with(package: "systemd", version: systemd).with(package: "openssh-server")
            .with(
                file: "/etc/motd",
                containing: "\nThe programs included with the Debian GNU/Linux system are free software.\n"
            )
            .with(file: "/etc/hostname", containing: "sample\n")
            .with(file: "/etc/hosts", containing: "127.0.0.1\tlocalhost\n")
            .with(directory: "/etc").with(directory: "/etc/systemd").with(directory: "/etc/systemd/system")
            .with(directory: "/srv").with(directory: "/var").with(directory: "/var/lib")
            .with(unit: "systemd-journald.service", unitFile: "static")
            .with(unit: "ssh.service").with(unit: "cron.service")
            .with(user: "root", uid: 0, home: "/root")
            .with(group: "sudo", gid: 27).with(group: "www-data", gid: 33)
    }
}

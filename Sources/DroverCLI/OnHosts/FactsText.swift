import SystemResources

/// What a host is, on one screen.
struct FactsText {
    let profile: HostProfile.Answer

    var lines: [String] {
        var rows: [[String]] = []
        func add(_ name: String, _ value: String) {
            if !value.isEmpty { rows.append([name, value]) }
        }
        add("name", profile.name)
        add("system", profile.system)
        add("kernel", "\(profile.kernel) \(profile.architecture)")
        add("process 1", profile.serviceManager)
        add("virtualization", profile.virtualization)
        add("time zone", profile.timeZone)
        add("up for", Text.age(Int(profile.uptime)))
        add(
            "processors", "\(profile.processors)\(profile.processorModel.isEmpty ? "" : " × \(profile.processorModel)")"
        )
        add("memory", "\(Text.bytes(profile.memory)), \(Text.bytes(profile.availableMemory)) available")
        add("swap", profile.swap == 0 ? "none" : Text.bytes(profile.swap))
        for address in profile.addresses { add(address.interface, address.address) }
        for system in profile.fileSystems {
            add(system.path, "\(system.kind), \(Text.bytes(system.size)), \(Text.bytes(system.free)) free")
        }
        return Text.table(rows)
    }
}

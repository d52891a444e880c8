import Diagnostics

/// Faults, for tests of what must survive them. Each leaves the host in the state that was asked for, whatever it was in.
extension Lab {
    /// Takes a host's power away: all its processes are gone at once, and its disk stays.
    public func kill(_ host: String) async throws {
        try await withMachine(host) { try await $0.powerOff() }
    }

    /// Boots a host from its old disk, with its cable plugged in, unless it is on; returns when it answers to SSH.
    public func start(_ host: String) async throws {
        try await withMachine(host) { machine in
            if machine.isOn { return }
            try await machine.powerOn(image: currentImage())
            try await machine.waitUntilReachable()
        }
    }

    /// Pulls the network cable out of a host.
    public func cut(_ host: String) async throws {
        try await withMachine(host) { try await $0.connect(false) }
    }

    /// Plugs the network cable into a host again.
    public func join(_ host: String) async throws {
        try await withMachine(host) { try await $0.connect(true) }
    }

    /// Stops all processes of a host, as a hypervisor does that pauses a machine.
    public func pause(_ host: String) async throws {
        try await withMachine(host) { try await $0.pause(true) }
    }

    /// Lets a paused host run again. Its clocks have not stood still.
    public func resume(_ host: String) async throws {
        try await withMachine(host) { try await $0.pause(false) }
    }

    private func withMachine(_ host: String, _ body: (Machine) async throws -> Void) async throws {
        try checkIsUp()
        try await exclusively { try await body(machine(listedHosts().entry(named: host))) }
    }
}

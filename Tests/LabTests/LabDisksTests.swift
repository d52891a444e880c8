import Diagnostics
import SystemPackage
import Testing

@testable import Lab

@Suite("The disks of labs")
struct LabDisksTests {
    private let disks = LabDisks(
        limit: 100 << 20, uses: [.init(lab: "lab", bytes: 20 << 20), .init(lab: "other", bytes: 40 << 20)])

    @Test("leave room for hosts up to their limit")
    func room() throws {
        #expect(disks.free == 40 << 20)
        try disks.checkRoom(forHosts: 2)
        try LabDisks(limit: 16 << 20, uses: []).checkRoom(forHosts: 1)
    }

    @Test("are named, the largest first, when the room is too little")
    func noRoom() {
        let fault = #expect(throws: Diagnostic.self) { try disks.checkRoom(forHosts: 3) }
        #expect(
            fault?.message
                == "the disks of labs may use 100 MB, half of the memory, and 40 MB is free: too little for 3 hosts more "
                + "(other 40 MB, lab 20 MB)")
        #expect(fault?.remedy == "remove a lab with 'drover lab down --name NAME'")
    }

    @Test("of no lab at all can be too small, too, and more in use than the limit leaves nothing")
    func extremes() {
        let fault = #expect(throws: Diagnostic.self) { try LabDisks(limit: 1 << 20, uses: []).checkRoom(forHosts: 1) }
        #expect(
            fault?.message
                == "the disks of labs may use 1 MB, half of the memory, and 1 MB is free: too little for a host more")
        #expect(fault?.remedy == "ask for fewer hosts")
        #expect(LabDisks(limit: 1 << 20, uses: [.init(lab: "lab", bytes: 2 << 20)]).free == 0)
    }
}

@Suite("The kernel")
struct KernelTests {
    @Test("counts the bytes of a mounted file system, and none of a folder on another one")
    func bytesInUse() throws {
        let bytes = try #require(Kernel.bytesInUse(at: "/proc"))
        #expect(bytes >= 0)
        #expect(Kernel.bytesInUse(at: "/etc") == nil)
        #expect(Kernel.bytesInUse(at: "/nowhere") == nil)
    }
}

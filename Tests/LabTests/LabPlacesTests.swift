import SystemPackage
import Testing

@testable import Lab

@Suite("The places of a lab")
struct LabPlacesTests {
    let places = LabPlaces(name: "lab")

    @Test("are where inventory/lab.yml expects them")
    func files() {
        #expect(places.privateKey == "/run/drover/lab/lab/id_ed25519")
        #expect(places.knownHosts == "/run/drover/lab/lab/known_hosts")
    }

    @Test(
        "are told from those of another lab by name",
        arguments: [
            ("drover-lab", true), ("drover-lab.pg1", true), ("drover-lab2", false), ("drover-lab2.pg1", false),
            ("drover.image", false), ("lab", false),
        ])
    func owns(name: String, expected: Bool) {
        #expect(places.owns(name) == expected)
    }
}

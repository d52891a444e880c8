import SystemPackage
import Testing

@testable import Lab

@Suite("A machine")
struct MachineTests {
    let machine = Machine(name: "pg1", address: "10.70.0.11", places: LabPlaces(name: "lab"))

    @Test("boots from its own disk, in its own network, under a name that no other lab uses")
    func bootCommand() {
        let command = machine.bootCommand
        #expect(command.contains("--directory=/run/drover/lab/lab/disks/pg1/root"))
        #expect(command.contains("--network-namespace-path=/run/netns/drover-lab.pg1"))
        #expect(command.contains("--machine=drover-lab.pg1"))
        #expect(command.contains("--hostname=pg1"))
    }

    @Test("is launched inside its control group, apart from the launcher")
    func launcher() {
        let launch = Launch(
            command: ["sleep", "1"], controlGroup: ControlGroup(path: "drover-lab/pg1"), log: "/run/pg1.console")
        let words = launch.launcher
        #expect(words[0...2] == ["sh", "-c", #"echo $$ > "$1" && shift && exec "$@""#])
        #expect(words[4].hasSuffix("/drover-lab/pg1/cgroup.procs"))
        #expect(words[7].contains("exec setsid --fork"))
        #expect(words.suffix(3) == ["/run/pg1.console", "sleep", "1"])
    }
}

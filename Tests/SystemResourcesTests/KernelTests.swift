import Engine
import Secrets
import TestSupport
import Testing

@testable import SystemResources

/// What belongs to the kernel, and so to a container only in part.
@Suite("Kernel modules, swap, host name")
struct KernelTests {
    /// Facts of which each file is as it shall be, on a machine or in a container.
    private func facts(of resource: some Resource, inContainer: Bool = false) -> Facts {
        var facts = Facts()
        for question in resource.questions {
            if let content = question as? FileContent { facts.record(.asExpected, to: content) }
            if let status = question as? FileStatus { facts.record(.file(), to: status) }
        }
        facts.record(inContainer ? .file() : nil, to: Container.sign)
        return facts
    }

    private static let modules: [(isPresent: Bool, inContainer: Bool, changes: [String], notices: Int)] = [
        (true, false, [], 0), (true, true, [], 0), (false, false, ["modprobe -- dummy"], 0), (false, true, [], 1),
    ]

    @Test("a module is loaded, except in a container", arguments: modules)
    func module(isPresent: Bool, inContainer: Bool, changes: [String], notices: Int) throws {
        let module = KernelModule("dummy")
        var facts = facts(of: module, inContainer: inContainer)
        facts.record(isPresent, to: KernelModulePresence("dummy"))
        #expect(try module.changes(given: facts, after: PendingEffects()).map { $0.script.reveal() } == changes)
        #expect(try module.notices(given: facts).count == notices)
        let file = "/etc/modules-load.d/drover-dummy.conf"
        facts.record(nil, to: FileStatus(file))
        facts.record(.absent, to: FileContent(file, expected: "dummy\n"))
        #expect(try module.changes(given: facts, after: PendingEffects()).first?.summary == "write \(file)")
    }

    @Test("modules are found, and what is none is not")
    func presence() async throws {
        let questions = ["tcp-cubic", "no_such_module"].map(KernelModulePresence.init)
        let directory = try TemporaryDirectory(["module/tcp_cubic/x": ""])
        let script = KernelModulePresence.script(for: questions).reveal().replacing("/sys/", with: directory.path + "/")
        let answers = try KernelModulePresence.answers(to: questions, from: await ShellRun.of(script).output)
        #expect(answers == [questions[0]: true, questions[1]: false])
        let builtIn = try TemporaryDirectory(["builtin": "kernel/net/ipv4/tcp-cubic.ko\n"])
        let path = script.replacing("/lib/modules/$release/modules.builtin", with: builtIn.path + "/builtin")
            .replacing(directory.path, with: "/none")
        let second = try KernelModulePresence.answers(to: questions, from: await ShellRun.of(path).output)
        #expect(second == answers)
    }

    private static let line = "/swap none swap sw 0 0"
    private static let swapping = "swap to /swap, 64 MiB"
    private static let swaps: [(swap: Swap, spaces: [String: Int], table: [String], changes: [String], notices: Int)] =
        [
            (Swap(file: "/swap", mebibytes: 64), ["/swap": 65532, "/dev/x": 9], [line], [], 0),
            (Swap(file: "/swap", mebibytes: 64), ["/swap": 65472], [line], [], 0),
            (Swap(file: "/swap", mebibytes: 64), [:], [line], [swapping], 1),
            (Swap(file: "/swap", mebibytes: 64), ["/swap": 32764], [], [swapping, "write /swap in /etc/fstab"], 1),
            (Swap.off, [:], ["a / b"], [], 0),
            (Swap.off, ["/dev/x": 9], ["/dev/x none swap sw"], ["stop swapping", "remove swap from /etc/fstab"], 1),
        ]

    @Test("swap is as large as declared, except in a container", arguments: swaps)
    func swap(swap: Swap, spaces: [String: Int], table: [String], changes: [String], notices: Int) throws {
        var facts = Facts()
        facts.record(spaces, to: SwapSpaces())
        facts.record(lines: table, in: "/etc/fstab")
        facts.record(nil, to: Container.sign)
        #expect(try swap.changes(given: facts, after: PendingEffects()).map(\.summary) == changes)
        #expect(try swap.notices(given: facts).isEmpty)
        facts.record(.file(), to: Container.sign)
        #expect(try swap.changes(given: facts, after: PendingEffects()).isEmpty)
        #expect(try swap.notices(given: facts).count == notices)
    }

    @Test("a field of the table of file systems is one field, whatever it holds")
    func fields() throws {
        let swap = Swap(file: "/a b\n/x", mebibytes: 1)
        var facts = Facts()
        facts.record([:], to: SwapSpaces())
        facts.record(nil, to: Container.sign)
        facts.record(lines: [], in: "/etc/fstab")
        let change = try #require(swap.changes(given: facts, after: PendingEffects()).last)
        #expect(change.texts["/etc/fstab"]?.reveal() == "/a\\040b\\012/x none swap sw 0 0\n")
    }

    /// Makes a swap file with a kernel that only tells what it is asked.
    private func makeSwap(_ path: String) async throws -> ShellRun {
        var facts = Facts()
        facts.record([:], to: SwapSpaces())
        facts.record(lines: ["\(path) none swap sw 0 0"], in: "/etc/fstab")
        facts.record(nil, to: Container.sign)
        let changes = try Swap(file: path, mebibytes: 2).changes(given: facts, after: PendingEffects())
        return try await HostShell.run(changes, with: ["swapon": "echo swapon", "swapoff": "echo swapoff"])
    }

    @Test("a swap file is made, made anew in another size, and no other file is touched")
    func swapFile() async throws {
        let directory = try TemporaryDirectory(["mine": "text"])
        let path = directory.path + "/swap"
        #expect(try await makeSwap(path).output == "swapoff\nswapon\n")
        let size = try await ShellRun.of("stat -c '%s %a' \(path); blkid -p -s TYPE -o value \(path)").output
        #expect(size == "2097152 600\nswap\n")
        #expect(try await makeSwap(path).output == "swapon\n")
        _ = try await ShellRun.of("truncate -s 4M \(path)")
        #expect(try await makeSwap(path).output == "swapoff\nswapon\n")
        #expect(try await ShellRun.of("stat -c %s \(path)").output == "2097152\n")
        let refused = try await makeSwap(directory.path + "/mine")
        #expect(refused.status == 1)
        #expect(refused.output == "\(directory.path)/mine stands there, and is no swap space\n")
        #expect(try directory.names == ["mine", "swap"])
    }

    @Test("swap spaces are read")
    func spaces() async throws {
        let directory = try TemporaryDirectory([
            "swaps":
                "Filename\t\t\tType\t\tSize\tUsed\tPriority\n/swap   file\t\t65532\t0\t-2\n/dev/x partition 9 0 -3\n"
        ])
        let script = SwapSpaces.script(for: [SwapSpaces()]).reveal().replacing(
            "/proc/swaps", with: directory.path + "/swaps")
        let answers = try SwapSpaces.answers(to: [SwapSpaces()], from: await ShellRun.of(script).output)
        #expect(answers == [SwapSpaces(): ["/swap": 65532, "/dev/x": 9]])
        #expect(throws: UnreadableAnswer.self) { try SwapSpaces.answers(to: [SwapSpaces()], from: "x /a\n") }
    }

    private static let names: [(live: FileContent.Answer, maySet: Bool, changes: [String], notices: Int)] = [
        (.asExpected, true, [], 0), (.different("old\n"), true, ["set host name old → new"], 0),
        (.different("old\n"), false, [], 1),
    ]

    @Test("the host name is set, where that may be done", arguments: names)
    func hostName(live: FileContent.Answer, maySet: Bool, changes: [String], notices: Int) throws {
        let name = HostName("new")
        var facts = facts(of: name)
        facts.record(live, to: FileContent("/proc/sys/kernel/hostname", expected: "new\n"))
        facts.record(maySet, to: MaySetHostName())
        #expect(try name.changes(given: facts, after: PendingEffects()).map(\.summary) == changes)
        #expect(try name.notices(given: facts).count == notices)
    }

    @Test("the right to set the host name is a capability")
    func capability() async throws {
        func answer(_ line: String) throws -> Bool? {
            try MaySetHostName.answers(to: [MaySetHostName()], from: line)[MaySetHostName()]
        }
        #expect(try answer("000001ffffffffff\n") == true)
        #expect(try answer("00000000a80425fb\n") == false)
        #expect(throws: UnreadableAnswer.self) { try answer("") }
        let own = try answer(await ShellRun.of(MaySetHostName.script(for: [MaySetHostName()]).reveal()).output)
        #expect(own != nil)
    }
}

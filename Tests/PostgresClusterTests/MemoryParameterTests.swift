import Engine
import Inventory
import SystemResources
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("Parameters of the host's memory")
struct MemoryParameterTests {
    private static let gigabyte = 1_073_741_824

    private static let sizes: [(memory: Int, connections: Int, expected: [String])] = [
        (0, 100, []),
        (gigabyte, 100, ["256MB", "768MB", "64MB", "4MB"]),
        (4 * gigabyte, 100, ["1024MB", "3072MB", "204MB", "10MB"]),
        (64 * gigabyte, 200, ["16384MB", "49152MB", "2048MB", "64MB"]),
        (64 * gigabyte, 5000, ["16384MB", "49152MB", "2048MB", "4MB"]),
    ]

    @Test("by size", arguments: sizes)
    func derived(memory: Int, connections: Int, expected: [String]) {
        let parameters = MemoryParameters.derived(from: memory, connections: connections)
        #expect(parameters.map(\.value) == expected)
        #expect(parameters.isEmpty || Set(parameters.map(\.name)) == MemoryParameters.names)
    }

    /// The lines that stand in the file of a member with 4 GB.
    private func lines(
        _ memory: MemberMemory.Answer?, _ directory: PostgresDirectory.Answer, _ variables: [String] = []
    ) throws -> [String] {
        let cluster = try Sample.cluster(Sample.text(Sample.variables + variables)) { observed, configuration in
            let host = configuration.members[0].host
            if let memory { observed[host].record(memory, to: MemberMemory()) }
            observed[host].record(directory, to: ClusterQuestions(configuration: configuration).directory)
        }
        return try GoldenTests.content(
            of: Cluster.patroniFile, in: cluster.patroni(on: cluster.configuration.members[0].host)
        ).linesOfText.filter { $0.hasSuffix(MemberMemory.mark) }
    }

    @Test("are those of a member that is set up, and stay what they were then")
    func stable() async throws {
        let size = 4 * Self.gigabyte
        let first = try lines(.init(size: size), .empty)
        #expect(
            first == [
                "    shared_buffers: '1024MB' # of the host's memory",
                "    effective_cache_size: '3072MB' # of the host's memory",
                "    maintenance_work_mem: '204MB' # of the host's memory",
                "    work_mem: '10MB' # of the host's memory",
            ])
        // What a file says is read as it was written, and counts before what the memory is by now.
        let directory = try TemporaryDirectory(["config.yml": first.joined(separator: "\n") + "\n    work: 'x'\n"])
        let script = MemberMemory.script(for: [MemberMemory()])
            .reveal().replacing(Cluster.patroniFile, with: directory.path + "/config.yml")
        let run = try await ShellRun.of(script)
        let answer = try #require(MemberMemory.answers(to: [MemberMemory()], from: run.output)[MemberMemory()])
        #expect(answer.size > 0)
        #expect(
            try lines(.init(size: 8 * Self.gigabyte, derived: answer.derived), .initialised(systemIdentifier: "7"))
                == first)
        // Killed before the database was made.
        #expect(try lines(.init(size: size, derived: answer.derived), .empty) == first)
    }

    @Test("are none where the inventory says them, or where a member runs without")
    func absent() throws {
        let size = 4 * Self.gigabyte
        #expect(try lines(nil, .empty) == [])
        #expect(try lines(.init(size: size, derived: []), .initialised(systemIdentifier: "7")) == [])
        #expect(try lines(.init(size: size), .initialised(systemIdentifier: "7")) == [])
        let said = [
            "postgresql_parameters: [{ option: shared_buffers, value: 64MB }, { option: Work_Mem, value: 8MB }]"
        ]
        #expect(
            try lines(.init(size: size), .empty, said).map { $0.prefix { $0 != ":" } } == [
                "    effective_cache_size", "    maintenance_work_mem",
            ])
    }

    @Test("of a container that may have less than its host")
    func limit() throws {
        let answers = try MemberMemory.answers(to: [MemberMemory()], from: "total 4194304\nlimit 1073741824\n")
        #expect(answers[MemberMemory()] == .init(size: Self.gigabyte))
        let unlimited = try MemberMemory.answers(to: [MemberMemory()], from: "total 1024\nlimit max\nfile\n")
        #expect(unlimited[MemberMemory()] == .init(size: 1_048_576, derived: []))
    }
}

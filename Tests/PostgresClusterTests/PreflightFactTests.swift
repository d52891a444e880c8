import Engine
import Foundation
import TestSupport
import Testing

@testable import PostgresCluster

@Suite("What hosts tell before anything is touched")
struct PreflightFactTests {
    @Test("who listens where")
    func listeners() throws {
        let output = """
            10.70.0.11:2379|etcd|1:name=systemd:/system.slice/etcd.service
            127.0.0.53%lo:53|systemd-resolve|0::/system.slice/systemd-resolved.service
            [::]:22|sshd|
            *:5000||0::/machine/init.scope/system.slice/haproxy.service/worker

            """
        #expect(
            try Listeners.answers(to: [Listeners()], from: output)[Listeners()]
                == [
                    .init(address: "10.70.0.11", port: 2379, program: "etcd", unit: "etcd.service"),
                    .init(
                        address: "127.0.0.53", port: 53, program: "systemd-resolve", unit: "systemd-resolved.service"),
                    .init(address: "[::]", port: 22, program: "sshd"),
                    .init(address: "*", port: 5000, unit: "haproxy.service"),
                ])
        #expect(throws: (any Error).self) { try Listeners.answers(to: [Listeners()], from: "what\n") }
        #expect(Listeners.Listener(address: "*", port: 1).who == "somebody")
    }

    @Test(
        "who is in the way of whom",
        arguments: [
            ("10.0.0.1", "10.0.0.1", true), ("10.0.0.2", "10.0.0.1", false), ("0.0.0.0", "10.0.0.1", true),
            ("127.0.0.1", "10.0.0.1", true), ("10.0.0.2", nil, true),
        ] as [(String, String?, Bool)])
    func inTheWay(address: String, wanted: String?, isInTheWay: Bool) {
        #expect(Listeners.Listener(address: address, port: 1).isInTheWay(of: wanted) == isInTheWay)
    }

    @Test("the networks of an interface")
    func networks() throws {
        let questions = [InterfaceNetworks(interface: "eth0"), InterfaceNetworks(interface: "eth1")]
        let output = """
            question
            there
            2: eth0    inet 10.70.0.11/24 brd 10.70.0.255 scope global eth0\\       valid_lft forever
            question

            """
        let answers = try InterfaceNetworks.answers(to: questions, from: output)
        #expect(answers[questions[0]] == ["10.70.0.11/24"])
        #expect(answers[questions[1]] == .some(nil))
        #expect(throws: (any Error).self) { try InterfaceNetworks.answers(to: questions, from: "question\n") }
    }

    @Test(
        "which network an address is in",
        arguments: [
            ("10.0.0.1/24", "10.0.0.255", true), ("10.0.0.1/24", "10.0.1.1", false), ("10.0.0.1/32", "10.0.0.1", true),
            ("10.0.0.1/0", "1.2.3.4", true), ("10.0.0.1", "10.0.0.1", false), ("10.0.0.1/33", "10.0.0.1", false),
        ])
    func contains(network: String, address: String, isInside: Bool) {
        #expect(InterfaceNetworks.contains(network, address) == isInside)
    }

    @Test("what a host finds around it")
    func sounding() throws {
        let question = Sounding(interface: "eth0", address: "10.0.0.100", packages: ["curl"])
        let output = """
            question
            router 100 10.0.0.77
            router 100 10.0.0.77
            holder 02:00:00:00:00:01
            unreachable 10.0.0.2:8008 No route to host
            deaf Operation not permitted
            candidate curl 7.88.1-10
            complaint Unable to fetch x

            """
        let answer = try #require(Sounding.answers(to: [question], from: output)[question])
        #expect(
            answer
                == .init(
                    holders: ["02:00:00:00:00:01"], routers: [.init(id: 100, source: "10.0.0.77")],
                    deafness: "Operation not permitted", unreachable: ["10.0.0.2:8008": "No route to host"],
                    candidates: ["curl": "7.88.1-10"], complaint: "Unable to fetch x"))
        let none = try Sounding.answers(to: [question], from: "question\nsh: 1: perl: not found\n")[question]
        #expect(none?.deafness == "sh: 1: perl: not found")
        #expect(throws: (any Error).self) { try Sounding.answers(to: [question], from: "router 1 2\n") }
    }

    @Test(
        "newer lists of packages leave nothing behind, also when somebody ends the looking", arguments: [false, true])
    func lists(isEnded: Bool) async throws {
        let folder = try TemporaryDirectory([:])
        let script = Sounding.script(for: [Sounding(packages: ["curl"])])
            .reveal().replacing("/run/drover-lists", with: "\(folder.path)/drover-lists")
        let run = try await ShellRun.ofGroup(
            """
            mkdir \(folder.path).bin
            cd \(folder.path).bin
            printf '%s\\n' '#!/bin/sh' ':' >perl
            printf '%s\\n' '#!/bin/sh' 'case $* in *drover-lists*) printf "curl:\\n  Candidate: 1\\n" ;; esac' >apt-cache
            printf '%s\\n' '#!/bin/sh' 'ls \(folder.path) >seen' '\(isEnded ? "kill -TERM 0" : ":")' >apt-get
            chmod +x *
            ( PATH=$PWD:$PATH
            \(script)
            )
            timeout 5 sh -c 'until [ -z "$(ls \(folder.path))" ]; do :; done'
            cat seen
            rm -r \(folder.path).bin
            """)
        #expect(run.output.contains("candidate curl 1") != isEnded)
        #expect(run.output.contains("drover-lists."))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("clocks that surely differ from the one in the middle")
    func clocks() {
        let readings: [(host: String, reading: ClockReading.Answer)] = [
            ("a", .init(least: -0.1, most: 0.1)), ("b", .init(least: 1.0, most: 1.2)),
            ("c", .init(least: -3, most: 0.2)),
            ("d", .init(least: -7, most: -6)), ("e", .init(least: 1.2, most: 1.4)),
        ]
        #expect(
            ClockReading.deviations(among: readings).map(\.host) == ["d", "e"])
        #expect(ClockReading.deviations(among: []).isEmpty)
        #expect(ClockReading.deviations(among: [readings[3]]).isEmpty)
    }

    @Test("a host's clock is bounded by the exchange")
    func clock() throws {
        let answer = try #require(ClockReading.answers(to: [ClockReading()], from: "100.5 103.25\n")[ClockReading()])
        #expect(answer.most == 2.75)
        #expect(answer.least < answer.most)
        #expect(throws: (any Error).self) { try ClockReading.answers(to: [ClockReading()], from: "1\n") }
    }

    @Test("sizes of parameters")
    func sizes() throws {
        let list = "a: 64MB, b: 16, c: 1kB, d: on, e: 99999999TB".split(separator: ", ").map {
            let parts = $0.split(separator: ": ")
            return "{ option: \(parts[0]), value: \(parts[1]) }"
        }
        let postgres = try Sample.configuration(
            Sample.text(Sample.variables + ["postgresql_parameters: [\(list.joined(separator: ", "))]"])
        ).postgres
        #expect(
            ["a", "b", "c", "d", "e", "f"].map { postgres.size(of: $0, unit: 8192) }
                == [67_108_864, 131_072, 1024, nil, .max, nil])
    }
}

public import Engine
import Inventory
import SystemResources

/// Looks at hosts before anything is touched, and refuses to begin what would fail in its middle.
public struct Preflight: Sendable {
    let cluster: Cluster
    let waived: Set<PreflightCheck>
    /// The hosts that are to be touched.
    let subjects: [Node]
    let questions: PreflightQuestions

    init(_ cluster: Cluster, waiving waived: Set<PreflightCheck>, of names: [String]?) {
        self.cluster = cluster
        self.waived = waived
        subjects = cluster.configuration.nodes.filter { names?.contains($0.name) ?? true }
        questions = PreflightQuestions(configuration: cluster.configuration) { cluster.packages(of: $0) }
    }

    /// Asks, and tells what was left out and what could not be found out.
    public var play: Play {
        Play("Look at the hosts", on: cluster.configuration.hosts, tags: [Play.always]) { host in
            Examination(
                name: "what must be so before anything is touched",
                questions: isSubject(host)
                    ? questions.opening(of: host) + questions.more(of: host, given: cluster.observed)
                    : [ClockReading()],
                remarks: remarks(on: host))
        }
    }

    /// - Throws: `Refusal` with everything that was found.
    public func refuseUnlessPassed() throws {
        if let refusal { throw refusal }
    }

    /// Carries out other guards, and tells what was found here along with what they refuse.
    ///
    /// - Throws: `Refusal` with everything that the guards and the checks have found, when a guard refuses.
    public func accompanying(_ guards: [() throws -> Void]) throws {
        var refusals: [Refusal] = []
        for check in guards {
            do { try check() } catch let refusal as Refusal { refusals.append(refusal) }
        }
        if refusals.isEmpty { return }
        if let all = Refusal(all: refusals + [refusal].compactMap(\.self)) { throw all }
    }

    private var refusal: Refusal? {
        let found = findings.filter { !waived.contains($0.check) }
        guard !found.isEmpty else { return nil }
        return Refusal(
            "the hosts are not ready for the cluster '\(cluster.configuration.name)', and nothing was changed "
                + "(--skip-preflight NAME leaves a check out)",
            remedies: Preflight.lines(of: found))
    }

    /// Each text once, with the check and the hosts that it is about, in the order of the checks.
    static func lines(of findings: [PreflightFinding]) -> [String] {
        PreflightCheck.allCases.flatMap { check in
            var texts: [(hosts: [String], text: String)] = []
            for finding in findings where finding.check == check {
                let index = texts.firstIndex { $0.text == finding.text } ?? texts.endIndex
                if index == texts.endIndex { texts.append(([], finding.text)) }
                texts[index].hosts += finding.host.map { [$0] } ?? []
            }
            return texts.map { text in
                "\(check.rawValue): "
                    + (text.hosts.isEmpty ? "" : text.hosts.joined(separator: " ") + ": ") + text.text
            }
        }
    }

    private func isSubject(_ host: Host) -> Bool { subjects.contains { $0.name == host.name } }

    private func remarks(on host: Host) -> [String] {
        let left = PreflightCheck.allCases.filter(waived.contains).map { check in
            let found = findings.filter { $0.check == check }
            return "the check '\(check.rawValue)' is left out"
                + (found.isEmpty
                    ? "; it finds nothing now"
                    : ", which finds: " + Preflight.lines(of: found).joined(separator: "; "))
        }
        let sounding = cluster.observed[host].ifKnown(
            questions.sounding(of: host, given: cluster.observed[host]))
        let deafness = sounding?.deafness.map {
            ["who else uses the address and the virtual router id could not be found out: \($0)"]
        }
        return left + (deafness ?? []) + defectNotices(on: host)
    }
}

extension Cluster {
    /// What must be so before anything is touched.
    ///
    /// - Parameters:
    ///   - waived: the checks that are left out.
    ///   - names: the hosts that are to be touched; nil for all.
    public func preflight(waiving waived: Set<PreflightCheck>, of names: [String]? = nil) -> Preflight {
        Preflight(self, waiving: waived, of: names)
    }
}

import Engine
import Inventory
import SystemResources

extension Preflight {
    /// The faults for which a package of a host is refused, be it installed or not yet.
    func defects(of node: Node) -> [PreflightFinding] {
        questions.packages(node.host).flatMap { package -> [PreflightFinding] in
            guard let version = installed(package, on: node.host) ?? offered(package, to: node.host) else { return [] }
            return UpstreamDefects.concerning(package: package, version: version).compactMap { defect in
                guard case .refused(let advice) = defect.measure else { return nil }
                return PreflightFinding(
                    check: .defects, host: node.name, text: Preflight.words(defect, in: version, advice: advice))
            }
        }
    }

    /// What the user can do about the faults of packages that a host is about to get. For those that it has, the plan that
    /// installed them printed it.
    func defectNotices(on host: Host) -> [String] {
        guard subjects.contains(where: { $0.name == host.name }) else { return [] }
        return questions.packages(host).flatMap { package -> [String] in
            guard let version = offered(package, to: host) else { return [] }
            return UpstreamDefects.concerning(package: package, version: version).compactMap { defect in
                guard case .told(let advice) = defect.measure else { return nil }
                return Preflight.words(defect, in: version, advice: advice)
            }
        }
    }

    private func installed(_ package: String, on host: Host) -> String? {
        cluster.observed[host].ifKnown(PackageStatus(package))?.version
    }

    /// The version that a host without the package would get.
    private func offered(_ package: String, to host: Host) -> String? {
        let facts = cluster.observed[host]
        guard let status = facts.ifKnown(PackageStatus(package)), status.version == nil else { return nil }
        if let supply = questions.supply { return supply.version(of: package) }
        return facts.ifKnown(questions.sounding(of: host, given: facts))?.candidates[package]
    }

    private static func words(_ defect: UpstreamDefect, in version: String, advice: String) -> String {
        "\(defect.package) \(version): \(defect.fault) (\(defect.reference)): \(advice)"
    }
}

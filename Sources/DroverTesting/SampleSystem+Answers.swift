import Engine
import Secrets
import SystemResources

extension SampleSystem {
    /// Records what the host answers to a fact.
    ///
    /// - Throws: ``UnansweredFact`` if nothing is said of that.
    func answer(_ fact: any Fact, in facts: inout Facts) throws {
        guard !answerAsSaid(fact, in: &facts) else { return }
        switch fact {
        case let fact as PackageStatus: facts.record(packages[fact.package] ?? .absent, to: fact)
        case let fact as FileStatus: facts.record(files[fact.path]?.attributes, to: fact)
        case let fact as FileContent: facts.record(answer(fact), to: fact)
        case let fact as PathEntry: facts.record(answer(fact), to: fact)
        case let fact as FileAccess: facts.record(true, to: fact)
        case let fact as UnitStatus: facts.record(units[fact.unit] ?? .init(active: "inactive", unitFile: ""), to: fact)
        case let fact as UserEntry: facts.record(users[fact.name], to: fact)
        case let fact as GroupEntry: facts.record(groups[fact.name], to: fact)
        case let fact as AuthorizedKeysFile: facts.record(answer(fact), to: fact)
        case let fact as HostProfile: facts.record(profile, to: fact)
        case let fact as MountedAt: facts.record(nil, to: fact)
        case let fact as SwapSpaces: facts.record([:], to: fact)
        case let fact as MaySetHostName: facts.record(true, to: fact)
        case let fact as CommandSuccess: facts.record(false, to: fact)
        default: throw UnansweredFact(fact)
        }
    }

    private func answerAsSaid(_ fact: any Fact, in facts: inout Facts) -> Bool {
        func record<F: Fact>(_ fact: F) -> Bool {
            guard let answer = answers.ifKnown(fact) else { return false }
            facts.record(answer, to: fact)
            return true
        }
        return record(fact)
    }

    private func answer(_ fact: FileContent) -> FileContent.Answer {
        guard let content = files[fact.path]?.content else { return .absent }
        return FileContent(fact.path, expected: content) == fact ? .asExpected : .different(content)
    }

    private func answer(_ fact: PathEntry) -> PathEntry.Answer {
        guard let file = files[fact.path] else { return .absent }
        return file.content.map(PathEntry.Answer.text) ?? .other
    }

    private func answer(_ fact: AuthorizedKeysFile) -> AuthorizedKeysFile.Answer {
        guard let home = users[fact.user]?.home else { return nil }
        let (directory, file) = ("\(home)/.ssh", "\(home)/.ssh/authorized_keys")
        return AuthorizedKeysFile.Found(
            home: home, directory: files[directory]?.attributes, file: files[file]?.attributes,
            content: answer(PathEntry(file)))
    }
}

/// A resource needs a fact that nothing is said of in a ``SampleSystem``.
public struct UnansweredFact: Error, CustomStringConvertible {
    public let description: String

    init(_ fact: any Fact) {
        description = "the sample system has no answer to \(fact); say it with answering(_:with:)"
    }
}

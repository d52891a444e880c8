public import Engine
import Secrets

/// Which packages of a supply a host needs for what is to be installed there: what it has already is not among them.
///
/// The host's own apt decides, from what the supply says of its packages, which is sent with the question and forgotten.
public struct SuppliedPackages: Fact {
    /// The packages of the supply that a host needs.
    public struct Answer: Hashable, Sendable {
        /// The places of the packages in the supply.
        public var numbers: [Int] = []
        /// What keeps them from being installed, such as a package that is not there.
        public var complaints: [String] = []
    }

    let supply: PackageSupply
    /// What is to be installed, as apt is told: `chrony`, `postgresql-15=15.14-*`.
    let words: [String]

    public init(of supply: PackageSupply, for words: [String]) {
        self.supply = supply
        self.words = words
    }

    /// The simulation says what is missing of what depends on it; what nobody has heard of stops it at once.
    public static func script(for questions: [SuppliedPackages]) -> ShellText {
        questions.map { question -> ShellText in
            #"""
            echo question
            (
            folder=$(mktemp -d /run/drover-supply.XXXXXX)
            trap 'rm -rf -- "$folder"' EXIT
            trap 'exit 143' HUP INT TERM
            mkdir -p "$folder/lists/partial"
            cat >"$folder/Packages" \#(hereDocument: MaskedText(question.supply.index), "END_OF_INDEX")
            echo "deb [trusted=yes] file:$folder ./" >"$folder/sources.list"
            apt() {
                LC_ALL=C command "$@" -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null \
                    -o Dir::State::Lists="$folder/lists" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
                    -o APT::Sandbox::User=root
            }
            apt apt-get -q update >/dev/null 2>&1
            apt apt-get -q -y --no-install-recommends --allow-downgrades --print-uris install \#(words: question.words) 2>&1 |
                sed -n -e "s|^'file:.*/\([0-9]*\)\.deb' .*|need \1|p" -e 's/^E: \(Unable to locate.*\)/complaint \1/p' \
                    -e "s/^E: \(Package '.*\)/complaint \1/p" -e "s/^E: \(Version '.*\)/complaint \1/p" \
                    -e 's/^  *\(.*\) : \(.*Depends: .*\)/complaint \1: \2/p' -e 's/^  *\(Pre-\)\{0,1\}Depends: .*/complaint &/p'
            )
            """#
        }.joined(separator: "\n")
    }

    public static func answers(
        to questions: [SuppliedPackages], from output: String
    ) throws -> [SuppliedPackages: Answer] {
        var answers: [Answer] = []
        for line in output.linesOfText {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            switch (words.first, words.count) {
            case ("question", 1): answers.append(Answer())
            case ("need", 2) where !answers.isEmpty:
                answers[answers.count - 1].numbers += Int(words[1]).map { [$0] } ?? []
            case ("complaint", 2) where !answers.isEmpty: answers[answers.count - 1].complaints.append(words[1])
            default: throw UnreadableAnswer(SuppliedPackages.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(SuppliedPackages.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    /// What a person is told when the supply does not have what is needed; nil when it does.
    public func obstacle(_ answer: Answer) -> String? {
        guard answer.numbers.isEmpty || !answer.complaints.isEmpty else { return nil }
        let reasons = answer.complaints.isEmpty ? ["apt finds no way to install them"] : answer.complaints
        return "\(supply.directory) does not have all that \(words.joined(separator: " ")) needs: "
            + reasons.joined(separator: "; ")
    }
}

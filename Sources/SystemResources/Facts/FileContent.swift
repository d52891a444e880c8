import Crypto
public import Engine
import FoundationEssentials

/// Whether a file has the content that it is to have. The content itself travels only when it is another one, so that
/// a diff can be shown without asking again.
public struct FileContent: Fact {
    /// The content of a file, compared with the expected one.
    public enum Answer: Hashable, Sendable {
        case absent
        case asExpected
        /// Another content; what it is, as far as it is not longer than 256 KiB.
        case different(String)
    }

    public let path: String
    /// SHA-256 of the content that the file is to have, in hexadecimal.
    public let digest: String

    public init(_ path: String, expected content: String) {
        self.init(path, digest: SHA256.hash(data: Array(content.utf8)).hexadecimal)
    }

    init(_ path: String, digest: String) {
        self.path = path
        self.digest = digest
    }

    /// One `sha256sum` reads all files; the shell itself compares. A line about a path that has a backslash, as those of
    /// systemd's units have, begins with one, and each of the path's is doubled.
    ///
    /// Another content is read with the rights of whoever can put a link there, for it may appear in a plan.
    public static func script(for questions: [FileContent]) -> ShellText {
        let expected = questions.map { question in
            let path = question.path.replacing("\\", with: #"\\"#)
            return "\(path == question.path ? "" : "\\")\(question.digest)  \(path)"
        }.joined(separator: "\n")
        return PathRights.functions + """
            expected=\(quoting: "\n" + expected + "\n")
            set -f; IFS='
            '
            for line in $(sha256sum -- \(words: questions.map(\.path)) 2>/dev/null); do
                path=${line#*  }
                case $line in \\\\*) path=$(printf %b "$path") ;; esac
                case $expected in
                *"
            $line
            "*) printf '= %s\\n' "$path" ;;
                *) printf '! %s\\n' "$path"; as_holder "$path/." head -c 262144 -- "$path" | base64 -w 0; echo ;;
                esac
            done
            set +f; unset IFS
            """
    }

    public static func answers(to questions: [FileContent], from output: String) throws -> [FileContent: Answer] {
        var byPath: [String: Answer] = [:]
        var lines = output.linesOfText[...]
        while let line = lines.popFirst() {
            let path = String(line.dropFirst(2))
            if line.hasPrefix("= ") {
                byPath[path] = .asExpected
            } else if line.hasPrefix("! "), let data = Data(base64Encoded: lines.popFirst() ?? "") {
                byPath[path] = .different(String(decoding: data, as: UTF8.self))
            } else {
                throw UnreadableAnswer(FileContent.self, line)
            }
        }
        return Dictionary(uniqueKeysWithValues: questions.map { ($0, byPath[$0.path] ?? .absent) })
    }
}

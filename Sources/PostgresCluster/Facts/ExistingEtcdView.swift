import Engine
import FoundationEssentials
import Secrets
import SystemResources

/// What an etcd that was there before tells of itself and of one cluster, each of its members by itself.
struct ExistingEtcdView: Fact {
    struct Told: Hashable, Sendable {
        /// `10.0.0.9:2379`.
        let endpoint: String
        var isHealthy = false
        /// Whether the host has nothing yet by which it could be asked.
        var isUnaskable = false
        /// Whether the keys of the cluster may be read; nil when nobody answered that.
        var isReadable: Bool?
        /// The names of the cluster's keys, and the value of the one that has its system identifier.
        var keys: [String] = []
        var systemIdentifier: String?
        /// What it said instead.
        var complaint: String?
    }

    let etcd: ExistingEtcd
    /// The directory of the cluster, which ends with a slash.
    let path: String

    /// The password goes by standard input, and the token that is had for it too.
    static func script(for questions: [ExistingEtcdView]) -> ShellText {
        questions.map { question -> ShellText in
            let etcd = question.etcd
            return "echo question\n"
                + etcd.endpoints.map { endpoint -> ShellText in
                    """
                    \(etcd.opening(endpoint))
                    printf '%s\\n' \(quoting: "endpoint \(endpoint.words)")
                    printf 'health %s\\n' "$(ask /health | tr -d '\\n')"
                    printf 'login %s\\n' "$refusal"
                    printf 'keys %s\\n' "$(ask /v3/kv/range \(quoting: question.range) | tr -d '\\n')"
                    printf 'value %s\\n' "$(ask /v3/kv/range \(quoting: question.identifier) | tr -d '\\n')"
                    """
                }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Why etcd refuses a certificate over HTTP where users log in, which is how Patroni speaks to it. Source: etcd 3.4,
    /// `embed/serve.go`.
    static let named = "the certificate has a CommonName, and etcd takes none beside a password: use one without"

    private var range: String {
        let (first, end) = ExistingEtcd.bounds(of: path)
        return #"{"key":"\#(first)","range_end":"\#(end)","keys_only":true,"limit":1000}"#
    }

    /// What asks for the system identifier of the cluster.
    var identifier: String {
        #"{"key":"\#(Data((path + "initialize").utf8).base64EncodedString())"}"#
    }

    static func answers(to questions: [ExistingEtcdView], from output: String) throws -> [ExistingEtcdView: [Told]] {
        var answers: [[Told]] = []
        for line in output.linesOfText {
            let words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let text = words.count > 1 ? words[1] : ""
            if line == "question" {
                answers.append([])
            } else if words.first == "endpoint", !answers.isEmpty {
                answers[answers.count - 1].append(Told(endpoint: text))
            } else if let last = answers.indices.last, let index = answers[last].indices.last {
                answers[last][index].read(words[0], text)
            } else {
                throw UnreadableAnswer(ExistingEtcdView.self, line)
            }
        }
        guard answers.count == questions.count else { throw UnreadableAnswer(ExistingEtcdView.self, output) }
        return Dictionary(uniqueKeysWithValues: zip(questions, answers))
    }

    /// Members come and go in it all the time.
    static func essence(of answer: [Told]) -> String { answer.lazy.compactMap(\.systemIdentifier).first ?? "" }
}

extension ExistingEtcdView.Told {
    fileprivate mutating func read(_ what: String, _ text: String) {
        func json<Value: Decodable>(_ type: Value.Type) -> Value? {
            try? JSONDecoder().decode(type, from: Data(text.utf8))
        }
        switch what {
        case "health":
            isHealthy = json(EtcdStatus.Health.self)?.health == "true"
            isUnaskable = text == "unaskable"
            if !isHealthy { complaint = text.isEmpty ? "no answer" : text }
        case "login": if !text.isEmpty { complaint = complaint ?? text }
        case "keys":
            guard let keys = json(EtcdStatus.Keys.self), json(Failure.self)?.error == nil else {
                isReadable = json(Failure.self).map { _ in false }
                let words = json(Failure.self)?.error ?? text
                complaint = complaint ?? (words.contains("CommonName") ? ExistingEtcdView.named : words)
                return
            }
            isReadable = true
            self.keys = keys.names
        default: systemIdentifier = json(EtcdStatus.Range.self)?.text
        }
    }

    private struct Failure: Decodable {
        let error: String?
    }
}

extension ExistingEtcd {
    /// Shell text that defines `ask PATH [BODY]`, which makes a request to one endpoint, logged in where there is a login:
    /// `refusal` is what was said when that failed. Passwords and tokens go by standard input.
    ///
    /// A host that is to be set up may have no `curl` yet; `bash` is on every Debian, and speaks HTTP without TLS well enough.
    func opening(_ endpoint: Endpoint) -> ShellText {
        let files = [("--cacert", authority), ("--cert", certificate), ("--key", key)].flatMap { option, file in
            file.map { [option, $0] } ?? []
        }
        let words =
            ["curl", "--config", "-", "--silent", "--noproxy", "*", "--connect-timeout", "1", "--max-time", "3"] + files
        let text: ShellText = """
            token= refusal=
            ask() {
                if command -v curl >/dev/null; then
                    {
                        [ -z "$token" ] || printf 'header = "Authorization: %s"\\n' "$token"
                        [ -z "${2-}" ] || printf 'data-raw = "%s"\\n' "$(printf '%s' "$2" | sed 's/[\\"]/\\\\&/g')"
                    } | \(words: words) \(quoting: url(of: endpoint))"$1" 2>/dev/null
                else
                    \(scheme == .https ? "echo unaskable" : bash(endpoint))
                fi
            }
            """
        guard let login else { return text }
        return """
            \(text)
            answer=$(ask /v3/auth/authenticate "$(cat \(hereDocument: ExistingEtcd.json(login), "END_OF_LOGIN")
            )")
            token=$(printf '%s' "$answer" | sed -n 's/.*"token":"\\([^"]*\\)".*/\\1/p')
            [ -n "$token" ] || refusal=$(printf '%s' "$answer" | sed -n 's/.*"error":"\\([^"]*\\)".*/\\1/p')
            """
    }

    private func bash(_ endpoint: Endpoint) -> ShellText {
        """
        {
                    printf '%s %s HTTP/1.0\\r\\nHost: etcd\\r\\nContent-Length: %s\\r\\n' \
                        "$([ -z "${2-}" ] && echo GET || echo POST)" "$1" "$(printf '%s' "${2-}" | wc -c)"
                    [ -z "$token" ] || printf 'Authorization: %s\\r\\n' "$token"
                    printf '\\r\\n%s' "${2-}"
                } | timeout 3 bash -c 'exec 3<>"/dev/tcp/$0/$1" && cat >&3 && cat <&3' \(quoting: endpoint.host) \(endpoint.port) \
                    2>/dev/null | tr -d '\\r' | sed '1,/^$/d'
        """
    }

    private static func json(_ login: Login) -> MaskedText {
        let object = JSONValue.object([
            "name": .text(login.name), "password": .text(login.password.reveal()),
        ])
        let data = try? JSONEncoder().encode(object)
        var text = MaskedText()
        text.append(Secret(String(decoding: data ?? Data(), as: UTF8.self)))
        return text
    }

    /// The first key of a directory, and the least text after all of them, as etcd's gateway wants them.
    static func bounds(of path: String) -> (first: String, end: String) {
        (Data(path.utf8).base64EncodedString(), Data((path.dropLast() + "0").utf8).base64EncodedString())
    }
}

import Foundation
import Synchronization
import Testing

/// Looks at the arguments and the environment of every process of this machine, again and again: those of the lab's hosts
/// are among them. Secrets are found in all their ``SecretForms``.
final class SecretWatch: Sendable {
    private let forms: [Data]
    private let found = Mutex<Set<String>>([])
    private let sweeps = Mutex(0)
    private let isOver = Mutex(false)

    private init(_ secrets: [String]) {
        forms = SecretForms.of(secrets).map { Data($0.utf8) }
    }

    /// Watches while `body` runs, and proves that the watch sees something: a process of its own with an encoded secret must
    /// be found, and everything be looked at so often.
    ///
    /// - Returns: what was seen.
    static func watching<Value: Sendable>(
        for secrets: [String], least: Int = 5, _ body: () async throws -> Value
    ) async throws -> (value: Value, found: Set<String>) {
        #expect(!secrets.isEmpty && !secrets.contains(""))
        let canary = UUID().uuidString
        let bait = try Bait(Data("(\(canary))".utf8).base64EncodedString())
        defer { bait.end() }
        let watch = SecretWatch(secrets)
        let control = SecretWatch([canary])
        let thread = Thread { while !watch.isOver.withLock({ $0 }) { watch.sweep() } }
        thread.start()
        defer { watch.isOver.withLock { $0 = true } }
        let value = try await body()
        watch.sweep()
        control.sweep()
        let isSeen = control.found.withLock { !$0.isEmpty }
        #expect(isSeen, "the watch does not see what is there")
        let sweeps = watch.sweeps.withLock(\.self)
        #expect(sweeps >= least, "everything was looked at only \(sweeps) times")
        return (value, watch.found.withLock(\.self))
    }

    private func sweep() {
        for process in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] where Int(process) != nil {
            for file in ["cmdline", "environ"] {
                guard let data = FileManager.default.contents(atPath: "/proc/\(process)/\(file)") else { continue }
                for form in forms where data.range(of: form) != nil {
                    let secret = String(decoding: form, as: UTF8.self)
                    let text = String(decoding: data.prefix(300), as: UTF8.self)
                    found.withLock { _ = $0.insert("\(secret) in \(file): \(text)") }
                }
            }
        }
        sweeps.withLock { $0 += 1 }
    }
}

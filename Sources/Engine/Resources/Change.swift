public import Secrets

/// One step towards the declared state, as data: it can be printed, compared and carried out.
public struct Change: Hashable, Sendable {
    /// What will be done, as an order: `write /etc/motd`, `restart haproxy`.
    public var summary: String
    /// Whether it creates, changes, removes, restarts or stops.
    public var kind: Kind
    /// Owner, group and mode of what it writes, such as `root:root 0644`; nil where it writes nothing.
    public var ownership: String?
    /// What it does to a text, when it does something to a text.
    public var diff: UnifiedDiff?
    /// The shell text (POSIX `sh`, run under `set -e`) that does it.
    public var script: ShellText
    /// What later resources of the same play have to know about it.
    public var effects: [Effect]
    /// The whole new texts of files that it changes in part, by path: what a later resource that changes another part of the
    /// same file starts from.
    public var texts: [String: MaskedText] = [:]
    /// The files of this machine that must be on the host before.
    public var deliveries: [Delivery] = []
    /// Whether it must run to its end even when the controller vanishes: a killed `dpkg` leaves a broken host.
    public var mustFinish: Bool
    /// Whether it disturbs something that is running: a rolling play then takes one host after the other.
    public var isDisturbing: Bool
    /// Whether it does nothing but wait for what is true sooner or later. When nothing else is left after a play, that may
    /// have been true in the meantime, and is waited for once more.
    public var isWaiting: Bool { kind == .wait }

    public init(
        _ summary: String, _ kind: Kind = .change, ownership: String? = nil, diff: UnifiedDiff? = nil,
        script: ShellText, effects: [Effect] = [], mustFinish: Bool = false, isDisturbing: Bool = false
    ) {
        self.summary = summary
        self.kind = kind
        self.ownership = ownership
        self.diff = diff
        self.script = script
        self.effects = effects
        self.mustFinish = mustFinish
        self.isDisturbing = isDisturbing
    }
}

/// What a change does that a later resource's decision depends on.
public enum Effect: Hashable, Sendable {
    /// The file at this path gets new content.
    case writes(String)
    /// This unit is started or restarted.
    case starts(String)
}

/// The effects of all changes that come earlier in a play on the same host.
public struct PendingEffects: Sendable {
    private var effects: Set<Effect> = []
    private var texts: [String: MaskedText] = [:]

    public init(_ effects: [Effect] = []) {
        self.effects = Set(effects)
    }

    public func contains(_ effect: Effect) -> Bool {
        effects.contains(effect)
    }

    /// Whether a file is written whose path begins with `prefix`.
    public func writesFile(under prefix: String) -> Bool {
        effects.contains { effect in
            if case .writes(let path) = effect { path.hasPrefix(prefix) } else { false }
        }
    }

    /// The text that the file at `path` will have by then, or nil when no earlier change tells.
    public func text(of path: String) -> MaskedText? { texts[path] }

    public mutating func add(_ changes: [Change]) {
        for change in changes {
            effects.formUnion(change.effects)
            for case .writes(let path) in change.effects { texts[path] = change.texts[path] }
        }
    }
}

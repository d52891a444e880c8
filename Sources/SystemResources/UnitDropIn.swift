import Diagnostics
public import Engine
public import Secrets

/// Ensures that a systemd unit has a drop-in: settings that override those of its own file.
///
/// A ``Service`` of that unit later in the play has systemd read it. Whether it must also be restarted, only the author
/// of the settings knows: `Service("haproxy", restartedBy: [limits.path])`.
///
///     try UnitDropIn("haproxy", "limits", containing: "[Service]\nLimitNOFILE=65536\n")
public struct UnitDropIn: Resource {
    /// Where it stands: `/etc/systemd/system/haproxy.service.d/limits.conf`.
    public let path: String
    private let unit: String
    private let dropIn: String
    private let content: MaskedText

    /// - Parameters:
    ///   - unit: `haproxy`, or with its kind when it is no service: `backup.timer`.
    ///   - dropIn: the name without `.conf`. systemd reads the drop-ins of a unit in the order of their names.
    ///   - content: begins with the head of a section.
    /// - Throws: `Diagnostic` when a name is wrong or the content begins without a section.
    public init(_ unit: String, _ dropIn: String, containing content: MaskedText) throws {
        self.unit = unit.contains(".") ? unit : "\(unit).service"
        self.dropIn = dropIn
        self.content = content
        path = "/etc/systemd/system/\(self.unit).d/\(dropIn).conf"
        try UnitName.check(unit, of: name)
        try UnitName.check(dropIn, of: name)
        let first = content.lines.map { $0.reveal() }.first { !$0.isEmpty && !"#;".contains($0.prefix(1)) }
        guard first?.hasPrefix("[") == true else {
            throw Diagnostic(
                "\(name): its first setting stands in no section", remedy: "begin with the section, such as [Service]")
        }
    }

    public var name: String { "drop-in \(dropIn) of \(unit)" }

    private var directory: Directory { Directory(HostPath.parent(of: path)) }
    var file: File { File(path, containing: content) }

    public var questions: [any Fact] { directory.questions + file.questions }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        try directory.changes(given: facts, after: pending) + file.changes(given: facts, after: pending)
    }
}

/// What is asked of the names of units and of the files that are named after them.
enum UnitName {
    /// - Throws: `Diagnostic` for a name with characters that systemd forbids.
    static func check(_ name: String, of resource: String) throws {
        guard name.wholeMatch(of: /[A-Za-z0-9:_.\\@-]+/) != nil, !name.hasPrefix(".") else {
            throw Diagnostic(
                "\(resource): '\(name)' is no name that systemd takes",
                remedy: "use letters, digits and the characters : - _ . @ only")
        }
    }
}

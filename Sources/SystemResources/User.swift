public import Engine
public import Secrets

/// Ensures that a user exists and is as declared. What is not declared stays as it is.
///
///     User(login: "ann", groups: .atLeast(["admins"]))
public struct User: Resource {
    /// The groups a user is in beside the primary one.
    public enum Groups: Sendable {
        /// Whatever they are.
        case any
        case atLeast([String])
        case exactly([String])
    }

    private let user: String
    private let isSystem: Bool
    private let uid: Int?
    private let group: String?
    private let groups: Groups
    private let comment: String?
    private let home: String
    private let makesHome: Bool
    private let shell: String
    private let password: Secret?
    private let isLocked: Bool?

    /// A system user: one that runs programs and never logs in.
    ///
    /// - Parameters:
    ///   - uid: the number; nil takes the next free one of the system's own users.
    ///   - group: the primary group, which an earlier resource makes; nil is one of the user's own name.
    ///   - makesHome: whether the home directory is made when it is missing.
    public init(
        _ user: String, uid: Int? = nil, group: String? = nil, groups: Groups = .any, comment: String? = nil,
        home: String = "/nonexistent", makesHome: Bool = false, shell: String = "/usr/sbin/nologin"
    ) {
        self.user = user
        isSystem = true
        self.uid = uid
        self.group = group
        self.groups = groups
        self.comment = comment
        self.home = home
        self.makesHome = makesHome
        self.shell = shell
        password = nil
        isLocked = nil
    }

    /// A user that people log in as. The home directory is made from `/etc/skel` when it is missing, and moved when it
    /// shall be elsewhere.
    ///
    /// - Parameters:
    ///   - uid: the number; nil takes the next free one.
    ///   - group: the primary group, which an earlier resource makes; nil is one of the user's own name.
    ///   - home: nil is `/home` and the name.
    ///   - password: the hash, as `mkpasswd` or `openssl passwd -6` prints it; nil leaves the password as it is. A new
    ///     user without one cannot log in by password.
    ///   - isLocked: whether the password is out of force, so that only keys log in; nil leaves it as it is.
    public init(
        login user: String, uid: Int? = nil, group: String? = nil, groups: Groups = .any, comment: String? = nil,
        home: String? = nil, shell: String = "/bin/bash", password: Secret? = nil, isLocked: Bool? = nil
    ) {
        self.user = user
        isSystem = false
        self.uid = uid
        self.group = group
        self.groups = groups
        self.comment = comment
        self.home = home ?? "/home/\(user)"
        makesHome = true
        self.shell = shell
        self.password = password
        self.isLocked = isLocked
    }

    public var name: String { "user \(user)" }

    public var questions: [any Fact] { [UserEntry(user)] + (makesHome ? [FileStatus(home)] : []) }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        let entry = try facts[UserEntry(user)]
        var changes = [entry.map(adjustment) ?? addition].compactMap { $0 }
        let isMoved = entry.map { $0.home != home } == true && !isSystem
        if makesHome, try facts[FileStatus(home)] == nil, !isMoved { changes.append(homeMaking) }
        if let change = try passwordChange(from: entry?.password.reveal() ?? "!") { changes.append(change) }
        return changes
    }

    private var quoted: ShellText { ShellText.quoting(user) }

    private var addition: Change {
        var options = isSystem ? ["--system"] : []
        if let uid { options += ["--uid", "\(uid)"] }
        switch groups {
        case .atLeast(let names) where !names.isEmpty, .exactly(let names) where !names.isEmpty:
            options += ["--groups", names.joined(separator: ",")]
        default: break
        }
        if let comment { options += ["--comment", comment] }
        options += ["--no-create-home", "--home-dir", home, "--shell", shell]
        // Told to make a group of the user's name, useradd fails when there is one.
        let primary = group ?? user
        let setGroup: ShellText =
            group == nil
            ? "if getent group -- \(quoted) >/dev/null; then set -- --gid \(quoted); else set -- --user-group; fi"
            : "set -- --gid \(quoting: primary)"
        return Change(
            "add user \(user)", .create, script: "\(setGroup)\nuseradd \"$@\" \(words: options) -- \(quoted)")
    }

    private func adjustment(of entry: UserEntry.Entry) -> Change? {
        var orders: [String] = []
        var options: [String] = []
        func set(_ what: String, _ old: String, _ new: String?, _ words: String...) {
            guard let new, new != old else { return }
            orders.append("\(what) \(old.isEmpty ? "none" : old) → \(new.isEmpty ? "none" : new)")
            options += words + [new]
        }
        set("number", "\(entry.uid)", uid.map { "\($0)" }, "--uid")
        set("group", entry.group, group, "--gid")
        switch groups {
        case .any: break
        case .exactly(let names) where Set(names) != entry.groups:
            set("groups", entry.groups.sorted().joined(separator: ","), names.joined(separator: ","), "--groups")
        case .exactly: break
        case .atLeast(let names):
            let missing = names.filter { !entry.groups.contains($0) && $0 != entry.group }
            if missing.isEmpty { break }
            orders.append("groups + \(missing.joined(separator: ","))")
            options += ["--append", "--groups", missing.joined(separator: ",")]
        }
        set("comment", entry.comment, comment, "--comment")
        if isSystem {
            set("home", entry.home, home, "--home")
        } else {
            set("home", entry.home, home, "--move-home", "--home")
        }
        set("shell", entry.shell, shell, "--shell")
        if orders.isEmpty { return nil }
        var script: ShellText = "usermod \(words: options) -- \(quoted)"
        if !isSystem, entry.home != home {
            // There may have been no old home to move.
            script += "\n[ -e \(quoting: home) ] || {\n\(homeScript)\n}"
        }
        return Change("set \(orders.joined(separator: ", ")) of user \(user)", script: script)
    }

    private var homeMaking: Change {
        Change("make home \(home) of user \(user)", .create, script: homeScript)
    }

    /// The home takes its place as a whole, so that a run that is killed leaves no half of one.
    private var homeScript: ShellText {
        """
        new=\(quoting: home + ".drover")
        rm -rf -- "$new"
        mkdir -p -- "$new"
        cp -RT --no-dereference --preserve=mode,links -- /etc/skel "$new"
        chown -R "$(id -u -- \(quoted)):$(id -g -- \(quoted))" "$new"
        chmod 0700 "$new"
        mv -T -- "$new" \(quoting: home)
        """
    }

    /// - Throws: ``NoPasswordHash``.
    /// Whether a text has the form of a hash (`man 5 crypt`). A colon or a line break would be another field, or another
    /// user, in what `chpasswd` reads.
    private func isHash(_ password: Secret) -> Bool {
        let text = password.reveal()
        return text.hasPrefix("$") && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !":;*!\\".utf8.contains($0) }
    }

    private func passwordChange(from current: String) throws -> Change? {
        guard let password else {
            let isNow = current.hasPrefix("!") || current.hasPrefix("*")
            // What has only the mark of a lock has no password to unlock.
            guard let isLocked, isLocked != isNow, isLocked || current.hasPrefix("!$") else { return nil }
            let verb = isLocked ? "lock" : "unlock"
            return Change("\(verb) the password of user \(user)", script: "usermod --\(quoting: verb) -- \(quoted)")
        }
        guard isHash(password) else { throw NoPasswordHash(user: user) }
        let wanted = (isLocked == true ? "!" : "") + password.reveal()
        if current == wanted { return nil }
        var line = MaskedText()
        line.append(Secret("\(user):\(wanted)"))
        let script: ShellText = "chpasswd --encrypted \(hereDocument: line, "END_OF_PASSWORD")"
        return Change("set the password of user \(user)\(isLocked == true ? ", locked" : "")", script: script)
    }
}

/// A text that is no hash was given as one, such as a password.
public struct NoPasswordHash: Error, CustomStringConvertible {
    let user: String

    public var description: String {
        "the password of user '\(user)' is no hash; write what `openssl passwd -6` prints, which begins with $"
    }
}

extension User.Groups: ExpressibleByArrayLiteral {
    /// At least these.
    public init(arrayLiteral names: String...) { self = .atLeast(names) }
}

public import Engine
import Secrets

/// Ensures that a host swaps to a file of a size, or not at all, now and after the next boot.
///
///     Swap(file: "/swapfile", mebibytes: 2048)
public struct Swap: Resource {
    private enum Wanted {
        case off
        case file(String, mebibytes: Int)
    }

    private let wanted: Wanted

    /// - Parameters:
    ///   - file: absolute, without blanks. It is made, or made anew when its size is another one. Other swap spaces stay.
    ///   - mebibytes: the size of the file.
    public init(file: String, mebibytes: Int) {
        wanted = .file(file, mebibytes: mebibytes)
    }

    private init(_ wanted: Wanted) {
        self.wanted = wanted
    }

    /// No swap space is used. Swap files stay where they are.
    public static let off = Swap(.off)

    public var name: String {
        switch wanted {
        case .off: "swap off"
        case .file(let path, _): "swap \(path)"
        }
    }

    public var questions: [any Fact] { table.questions + [SwapSpaces(), Container.sign] }

    public func changes(given facts: Facts, after pending: PendingEffects) throws -> [Change] {
        // Swap spaces belong to the kernel, and systemd leaves them out of a container's boot.
        if try Container.isHost(facts) { return [] }
        let spaces = try facts[SwapSpaces()]
        var changes: [Change] = []
        switch wanted {
        case .off:
            if !spaces.isEmpty {
                changes.append(Change("stop swapping", .stop, script: "swapoff --all", isDisturbing: true))
            }
        case .file(let path, let mebibytes):
            if !isAsLarge(spaces[path], mebibytes) {
                changes.append(
                    Change("swap to \(path), \(mebibytes) MiB", .create, script: script(path, mebibytes)))
            }
        }
        return changes + (try table.changes(given: facts, after: pending))
    }

    private var table: TextEdit {
        switch wanted {
        case .off: FileSystemTable.edit("remove swap from", column: 3, subject: "swap", fields: nil)
        case .file(let path, _):
            FileSystemTable.edit(
                "write \(path) in", column: 1, subject: path, fields: [path, "none", "swap", "sw", "0", "0"])
        }
    }

    public func notices(given facts: Facts) throws -> [String] {
        guard try Container.isHost(facts) else { return [] }
        let spaces = try facts[SwapSpaces()]
        switch wanted {
        case .off where spaces.isEmpty: return []
        case .file(let path, let mebibytes) where isAsLarge(spaces[path], mebibytes): return []
        case .off, .file: return ["swap stays as it is: this host is a container, which shares that of its own host"]
        }
    }

    /// The kernel does not count the first page, which has up to 64 KiB and tells that it is a swap space.
    private func isAsLarge(_ kibibytes: Int?, _ mebibytes: Int) -> Bool {
        kibibytes.map { (1...64).contains(mebibytes * 1024 - $0) } ?? false
    }

    /// A swap file is not kept for a rollback: it is large, and means nothing once it is out of use. What is none is left
    /// alone.
    private func script(_ path: String, _ mebibytes: Int) -> ShellText {
        let file = ShellText.quoting(path)
        return """
            if [ -e \(file) ] && [ "$(blkid -p -s TYPE -o value -- \(file))" != swap ]; then
                echo \(file) "stands there, and is no swap space"
                exit 1
            fi
            if [ "$(stat -c %s -- \(file) 2>/dev/null)" != \(mebibytes * 1_048_576) ]; then
                new=\(quoting: path + ".drover")
                rm -f -- "$new"
                trap 'rm -f -- "$new"' EXIT
                (umask 077; fallocate --length \(mebibytes)MiB "$new" ||
                    dd if=/dev/zero of="$new" bs=1M count=\(mebibytes) status=none)
                mkswap "$new" >/dev/null
                swapoff -- \(file) 2>/dev/null || :
                sync -- "$new"
                mv -fT -- "$new" \(file)
                trap - EXIT
            fi
            swapon -- \(file)
            """
    }
}

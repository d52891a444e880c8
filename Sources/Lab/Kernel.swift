import Diagnostics
import SystemPackage

#if canImport(Glibc)
import Glibc
#endif

/// The calls into the Linux kernel that the lab makes itself, each of them for root only.
enum Kernel {
    #if canImport(Glibc)
    static var isRoot: Bool { geteuid() == 0 }

    /// The memory of this machine in bytes.
    static var memory: Int { sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) }

    /// Mounts an empty file system in memory, which can hold `size` bytes.
    static func mountMemory(at mountPoint: FilePath, size: Int) throws {
        guard mount("tmpfs", mountPoint.string, "tmpfs", 0, "mode=755,size=\(size)") == 0 else {
            throw failure("cannot mount a file system in memory at \(mountPoint)")
        }
    }

    /// The bytes in use on the file system that is mounted at `mountPoint`; nil when none is.
    static func bytesInUse(at mountPoint: FilePath) -> Int? {
        var (here, above, answer) = (stat(), stat(), statvfs())
        guard stat(mountPoint.string, &here) == 0, stat(mountPoint.removingLastComponent().string, &above) == 0,
            here.st_dev != above.st_dev, statvfs(mountPoint.string, &answer) == 0
        else { return nil }
        return Int(answer.f_blocks - answer.f_bfree) * Int(answer.f_frsize)
    }

    /// Mounts `upper` over `lower`, the uppermost of which comes first, at `mountPoint`. What is written lands in `upper`;
    /// `work` is the kernel's, in the same file system as `upper`.
    ///
    /// Folders of `lower` can be renamed, as on any disk. Overlays refuse that by default.
    static func mountOverlay(lower: [FilePath], upper: FilePath, work: FilePath, at mountPoint: FilePath) throws {
        let layers = "lowerdir=\(lower.map(\.string).joined(separator: ":")),upperdir=\(upper),workdir=\(work)"
        let options = "\(layers),redirect_dir=on"
        guard mount("overlay", mountPoint.string, "overlay", 0, options) == 0 else {
            throw failure("cannot mount an overlay at \(mountPoint)")
        }
    }

    /// Unmounts what is mounted at `mountPoint`, also when it is in use: it vanishes with its last user.
    static func unmount(_ mountPoint: FilePath) {
        while umount2(mountPoint.string, Int32(MNT_DETACH)) == 0 {}
    }

    /// Removes a folder, if it exists.
    static func removeEmptyFolder(_ folder: FilePath) throws {
        guard rmdir(folder.string) == 0 || errno == ENOENT else { throw failure("cannot remove \(folder)") }
    }

    /// Waits until no other process holds the lock on what is open as `descriptor`, and holds it until that is closed.
    static func lock(_ descriptor: FileDescriptor) throws {
        while flock(descriptor.rawValue, LOCK_EX) != 0 {
            if errno != EINTR { throw failure("cannot lock the lab") }
        }
    }

    /// Becomes the program `arguments[0]`, looked for in the PATH. Returns only to throw.
    static func execute(_ arguments: [String]) throws -> Never {
        // The threads of Swift's executor block nearly all signals, which the program would inherit.
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        pointers.append(nil)
        execvp(arguments[0], pointers)
        let error = failure("cannot run '\(arguments[0])'")
        for pointer in pointers { free(pointer) }
        throw error
    }

    /// Tells why the last call failed; `message` is made after that was looked up, for making it may call the kernel too.
    private static func failure(_ message: @autoclosure () -> String) -> Diagnostic {
        let reason = Errno(rawValue: errno)
        return Diagnostic("\(message()): \(reason)")
    }
    #else
    private static let failure = Diagnostic("the lab needs Linux")

    static var isRoot: Bool { false }
    static var memory: Int { 0 }
    static func mountMemory(at mountPoint: FilePath, size: Int) throws { throw failure }
    static func bytesInUse(at mountPoint: FilePath) -> Int? { nil }
    static func mountOverlay(lower: [FilePath], upper: FilePath, work: FilePath, at mountPoint: FilePath) throws {
        throw failure
    }
    static func unmount(_ mountPoint: FilePath) {}
    static func removeEmptyFolder(_ folder: FilePath) throws { throw failure }
    static func lock(_ descriptor: FileDescriptor) throws { throw failure }
    static func execute(_ arguments: [String]) throws -> Never { throw failure }
    #endif
}

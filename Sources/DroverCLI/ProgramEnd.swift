#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The end of the program.
enum ProgramEnd {
    /// Ends the program at once, whatever its threads do.
    ///
    /// It runs no exit handlers of libraries: that of OpenSSL takes away what a thread still uses that speaks with a host, and
    /// the program would end with a segmentation fault.
    static func end(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}

import Glibc
import NIOCore
import NIOPosix

/// Says in words why the network did not do what it should.
enum NetworkFailure {
    static func unreachable(_ destination: SSHDestination, because error: any Error) -> SSHError {
        let place = "\(destination.address) port \(destination.port)"
        if let error = error as? NIOConnectionError, error.connectionErrors.isEmpty {
            return SSHError(
                .unreachable, "the name '\(destination.address)' cannot be resolved to an address",
                remedy: "give its address in the inventory, or make the name known")
        }
        let remedy =
            errno(of: error) == ECONNREFUSED ? "is sshd running there, and does it listen on this port?" : nil
        return SSHError(.unreachable, "cannot connect to \(place): \(reason(of: error))", remedy: remedy)
    }

    static func reason(of error: any Error) -> String {
        if let number = errno(of: error) { return String(cString: strerror(number)).lowercased() }
        if case ChannelError.connectTimeout(let time) = error {
            return "no answer within \(Duration.nanoseconds(time.nanoseconds).readable)"
        }
        return "\(error)"
    }

    private static func errno(of error: any Error) -> CInt? {
        if let error = error as? NIOConnectionError {
            return error.connectionErrors.first.flatMap { errno(of: $0.error) }
        }
        return (error as? IOError)?.errnoCode
    }
}

extension Duration {
    /// `10 s`, `1.5 s`
    var readable: String {
        let seconds = self / .seconds(1)
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}

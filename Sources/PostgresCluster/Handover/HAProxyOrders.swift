import Engine

/// Shell text that gives HAProxy orders while it runs (HAProxy 2.6 management guide, 9.3). A reload forgets them.
struct HAProxyOrders {
    let listener: String

    /// Perl is on every Debian host; it speaks to the socket without a further package. HAProxy answers an order that it has
    /// carried out with an empty line.
    static let define: ShellText = """
        haproxy_does() {
            answer=$(perl -MSocket -e '
                socket(S, AF_UNIX, SOCK_STREAM, 0) && connect(S, sockaddr_un("/run/haproxy/admin.sock")) or die "$!\\n";
                syswrite(S, "@ARGV\\n"); print while <S>' -- "$@")
            [ -z "$answer" ] || { echo "HAProxy, told to $*, says: $answer"; return 1; }
        }

        """

    /// The server gets clients whatever its checks say.
    func keep(_ server: String) -> [String] { ["disable health \(name(server))"] }

    /// The server gets none whatever its checks say.
    func suspend(_ server: String) -> [String] { ["set server \(name(server)) state maint"] }

    /// The server gets no new clients, and keeps those it has, whatever its checks say.
    func drain(_ server: String) -> [String] { ["set server \(name(server)) state drain"] }

    /// The server gets clients, now and as long as its checks succeed.
    func use(_ server: String) -> [String] { check(server, startingWith: "up") }

    /// The server gets clients when its checks succeed, and loses those that it has.
    func check(_ server: String) -> [String] { check(server, startingWith: "down") }

    private func check(_ server: String, startingWith health: String) -> [String] {
        let name = name(server)
        return ["set server \(name) state ready", "set server \(name) health \(health)", "enable health \(name)"]
    }

    private func name(_ server: String) -> String { "\(listener)/\(server)" }

    /// Orders that are carried out at once: between two of them no client is let in.
    static func script(_ orders: [String]) -> ShellText {
        define + "haproxy_does \(quoting: orders.joined(separator: "; "))"
    }
}

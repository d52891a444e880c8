import CLibSSH2

extension Session {
    /// Makes each keepalive ask for an answer. libssh2 counts in seconds and sends none before two have gone by.
    func startKeepalive() {
        libssh2_keepalive_config(handle, 1, 2)
    }

    /// Asks the host for a sign of life.
    func sendKeepalive() {
        libssh2_keepalive_send(handle, nil)
        wire.flush()
    }
}

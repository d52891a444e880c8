import NIOCore

/// The bytes between a ``Session`` and its ``Carrier``. libssh2 sees only this, never a descriptor: it takes what has
/// arrived and adds to what is to be sent; the carrier moves both.
///
/// Used on one event loop only. Whoever waits for the host waits here, and a failure reaches all of them at once.
final class Wire {
    /// Why there will be no more bytes. The first reason counts: it is the cause of all later ones.
    private(set) var failure: (any Error)?
    /// Whether the host has ended it.
    private(set) var wasClosedByHost = false
    /// Whether this is the last chance to send something.
    private(set) var isClosing = false
    private(set) var statistics = SSHStatistics()
    /// When the host last sent anything.
    private(set) var lastReceived = NIODeadline.now()
    /// Called whenever bytes have arrived, more can be sent, or the wire has failed.
    var observers: [ObjectIdentifier: () -> Void] = [:]

    /// The first bytes that the host has sent: until the keys are agreed on, enough for its list of algorithms.
    private(set) var beginning: [UInt8] = []
    private var longestBeginning = 8192

    private var carrier: (any Carrier)?
    private var incoming = ByteBuffer()
    private var outgoing = ByteBuffer()
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Whether the carrier takes more without piling it up in memory.
    var isWritable: Bool { carrier?.isWritable ?? false }

    func attach(to carrier: any Carrier) {
        self.carrier = carrier
    }

    // MARK: libssh2's side

    /// Copies up to `count` received bytes to `buffer`; nil when there are none yet, 0 when none will ever come.
    func receive(into buffer: UnsafeMutableRawPointer, count: Int) -> Int? {
        guard incoming.readableBytes > 0 else { return failure == nil ? nil : 0 }
        let taken = min(count, incoming.readableBytes)
        incoming.readWithUnsafeReadableBytes { bytes in
            buffer.copyMemory(from: bytes.baseAddress!, byteCount: taken)
            return taken
        }
        if incoming.readableBytes == 0 { incoming.clear() }
        return taken
    }

    /// Takes bytes to send; false when the wire has failed. They leave with the next ``flush()``.
    func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard failure == nil else { return false }
        outgoing.writeBytes(bytes)
        return true
    }

    // MARK: the session's side

    /// Sends what libssh2 has written. To be called after each of its functions, whatever it returned.
    func flush() {
        guard outgoing.readableBytes > 0, let carrier else { return }
        statistics.bytesSent += outgoing.readableBytes
        let bytes = outgoing
        outgoing = ByteBuffer()
        carrier.send(bytes)
    }

    /// Waits until something has arrived or changed.
    func activity(isolation: isolated (any Actor)? = #isolation) async {
        guard failure == nil else { return }
        await withCheckedContinuation(isolation: isolation) { waiters.append($0) }
    }

    /// Ends the wire: all who wait learn `error`, once.
    func fail(_ error: any Error) {
        guard failure == nil else { return }
        failure = error
        let carrier = carrier
        self.carrier = nil
        carrier?.close()
        wake()
    }

    /// Ends the wire because the host has: nothing more will come.
    func closedByHost(_ words: String = "the host closed the connection") {
        if failure == nil { wasClosedByHost = true }
        fail(SSHError(.connectionLost, words))
    }

    /// Ends the wire on purpose: those who use it may still send a last word.
    func close(_ reason: any Error) {
        isClosing = true
        wake()
        fail(reason)
    }

    /// Drops what has arrived, so that libssh2 sees the end at once.
    func discard() {
        incoming.clear()
    }

    /// Keeps no more of the first bytes than what tells whether the host speaks SSH.
    func forgetBeginning() {
        longestBeginning = 0
        beginning = Array(beginning.prefix(64))
    }

    // MARK: the carrier's side

    func received(_ buffer: inout ByteBuffer) {
        statistics.bytesReceived += buffer.readableBytes
        lastReceived = .now()
        if beginning.count < longestBeginning { beginning += buffer.readableBytesView.prefix(longestBeginning) }
        incoming.writeBuffer(&buffer)
    }

    /// Wakes everyone: what arrived for one may have been read by another.
    func wake() {
        let waiters = waiters
        self.waiters = []
        for waiter in waiters { waiter.resume() }
        for observer in observers.values { observer() }
    }
}

/// What a connection has moved, the login and the encryption's overhead included.
public struct SSHStatistics: Hashable, Sendable {
    public var bytesSent = 0
    public var bytesReceived = 0

    public init() {}
}

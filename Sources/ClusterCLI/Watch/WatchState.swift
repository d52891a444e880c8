import PostgresCluster

/// What a watch knows of a cluster. Times are in seconds since 1970.
struct WatchState: Sendable {
    /// The newest observation that succeeded.
    private(set) var status: ClusterStatus?
    /// Why the newest observation failed, and when; nil when it did not.
    private(set) var failure: (text: String, time: Int)?
    /// When the observation that goes on began.
    private(set) var began: Int?

    mutating func begin(at time: Int) { began = time }

    mutating func take(_ result: Result<ClusterStatus, any Error>, at time: Int) {
        began = nil
        switch result {
        case .success(let status):
            self.status = status
            failure = nil
        case .failure(let error): failure = ("\(error)", time)
        }
    }
}

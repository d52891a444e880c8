/// What everything that works for one run has in common.
struct RunContext: Sendable {
    let identity: RunIdentity
    let options: RunOptions
    let settings: ConnectionSettings
    let interruption: Interruption
    let reporter: any Reporter
}

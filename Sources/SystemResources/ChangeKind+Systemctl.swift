import Engine

extension Change.Kind {
    /// What a command of `systemctl` does to its unit.
    init(systemctl verb: String) {
        self =
            switch verb {
            case "start": .create
            case "stop": .stop
            case "restart", "reload": .restart
            default: .change
            }
    }
}

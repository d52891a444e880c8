extension Inventory {
    /// The inventory as if it had no other hosts than these. The groups stay, and what others of their hosts have is still
    /// referred to.
    public func keeping(_ isKept: (Host) -> Bool) -> Inventory {
        var result = self
        result.hosts = hosts.filter(isKept)
        return result
    }
}

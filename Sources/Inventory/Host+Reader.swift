public import YAML

extension Host {
    /// Reads the host's variables into a type of one's own, strictly: a variable that nobody asks for is a fault too.
    ///
    ///     var variables = host.reader()
    ///     let owner: String? = variables.required("owner")
    ///     journal = variables.optional("journal_megabytes") ?? 100
    ///     self.owner = try variables.finish(owner)
    public func reader() -> MappingReader {
        let entries = variables.values.sorted { $0.name < $1.name }.map { variable in
            (key: YAMLNode(.scalar(variable.name, plain: true), at: variable.location), value: variable.node)
        }
        return MappingReader(
            entries, at: location, what: "a host", noun: "variable",
            remedy: "set it there or under the vars of a group")
    }
}

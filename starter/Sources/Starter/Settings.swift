import Drover

/// What the inventory may say of a host. Templates may name these properties; a variable that is not read here is an error.
struct Settings: TemplateContext {
    let host: String
    /// `owner`
    let owner: String
    /// `journal_megabytes`
    let journal: Int

    init(of host: Host) throws {
        var variables = host.reader()
        let owner: String? = variables.required("owner")
        journal = variables.optional("journal_megabytes") ?? 100
        self.owner = try variables.finish(owner)
        self.host = host.name
    }
}

import Diagnostics
import Engine
import Secrets
import Templates
import YAML

/// What goes into one template, and with it one kind of configuration file.
protocol ConfigurationFile: TemplateContext {
    /// The name of the template under `templates/`.
    static var template: String { get }
}

/// The templates of all configuration files of a cluster, parsed and checked.
struct ClusterTemplates: Sendable {
    static let all: [any ConfigurationFile.Type] = [
        EtcdConfiguration.self, EtcdInitialCluster.self, EtcdUnitSettings.self, PatroniConfiguration.self,
        PatroniUnitSettings.self, PatroniEtcdSettings.self, PatroniAPILogin.self, CorrectedPatroni.self,
        PatroniCorrectionSettings.self, PatroniFence.self, PatroniFenceUnit.self,
        CreateClusterConfiguration.self, PgBouncerConfiguration.self, PgBouncerListening.self, PgBouncerUsers.self,
        HAProxyConfiguration.self,
        KeepalivedConfiguration.self, KeepalivedUnitSettings.self, PgBouncerUnitSettings.self,
        PgBackRestConfiguration.self,
        BackupReachConfiguration.self, BackupScript.self, WALGScript.self, HostExporterConfiguration.self,
        DatabaseExporterConfiguration.self,
    ]

    private let templates: [String: Template]

    /// Reads all templates, and checks each name in each of their branches against what will be filled in.
    ///
    /// - Throws: `Diagnostics` with everything that is wrong in any of them.
    init(folder: String) throws {
        var diagnostics = Diagnostics()
        var templates: [String: Template] = [:]
        for kind in ClusterTemplates.all {
            let path = "\(folder)/\(kind.template)"
            templates[kind.template] = try diagnostics.collect {
                let template = try Template(TextFile.read(path), file: path)
                try template.check(for: kind)
                return template
            }
        }
        try diagnostics.throwIfAny()
        self.templates = templates
    }

    /// The templates that came with the program.
    static func installed() throws -> ClusterTemplates {
        try ClusterTemplates(folder: Installation.path(of: "templates"))
    }

    func render(_ file: some ConfigurationFile) throws -> MaskedText {
        guard let template = templates[type(of: file).template] else { return MaskedText() }
        return try template.render(file)
    }
}

import Diagnostics
import Vault
import YAML

/// One file of an inventory, read but not understood.
enum InventoryContent {
    case yaml(String, file: String)
    case ini(String, file: String)
    /// Names with commas between them.
    case names(String)
    case output(ProgramOutput)

    /// Reads a file.
    ///
    /// - Throws: a `Diagnostic` when it cannot be read, or has a form that is not understood.
    init(file: String) throws(Diagnostic) {
        if file.hasSuffix(".toml") {
            throw Diagnostic(
                "the inventory '\(file)' is TOML, which is not supported", remedy: "write it in YAML or INI")
        }
        let text = try TextFile.read(file)
        if VaultText.isIn(text) {
            throw Diagnostic(
                "the inventory '\(file)' is encrypted, but the names of hosts are shown everywhere",
                at: SourceLocation(file: file, line: 1, column: 1),
                remedy: "decrypt it by 'drover secret view', and encrypt only files in group_vars/ and host_vars/")
        }
        switch InventoryForm(ending: file) ?? InventoryForm(of: text) {
        case .yaml: self = .yaml(text, file: file)
        case .ini: self = .ini(text, file: file)
        }
    }
}

/// Merges the files of an inventory in their order.
struct InventoryReader {
    private(set) var declarations: Declarations
    private(set) var diagnostics = Diagnostics()

    /// - Parameter file: what the person named first.
    init(file: String) {
        declarations = Declarations(file: file)
    }

    mutating func read(_ content: InventoryContent) {
        switch content {
        case .yaml(let text, let file): readYAML(text, file)
        case .ini(let text, let file):
            var parser = INIParser(take(), file: file)
            parser.parse(text)
            declarations = parser.declarations
            diagnostics.add(parser.diagnostics)
        case .names(let names): readNames(names)
        case .output(let output):
            var parser = ProgramOutputParser(take())
            parser.parse(output)
            declarations = parser.declarations
            diagnostics.add(parser.diagnostics)
        }
    }

    /// Hands the declarations to a parser, which could not change them in place while they are here too.
    private mutating func take() -> Declarations {
        let taken = declarations
        declarations = Declarations(file: "")
        return taken
    }

    private mutating func readYAML(_ text: String, _ file: String) {
        do {
            guard let root = try YAML.parse(text, file: file), !root.isNull else {
                diagnostics.report("the inventory '\(file)' names no hosts", remedy: "begin with 'all:'")
                return
            }
            var parser = InventoryParser(take())
            parser.parse(root)
            declarations = parser.declarations
            diagnostics.add(parser.diagnostics)
        } catch {
            diagnostics.add(error)
        }
    }

    private mutating func readNames(_ names: String) {
        let location = SourceLocation(file: "-i \(names)", line: 1, column: 1)
        for part in names.split(separator: ",") {
            let pattern = part.trimmed
            if pattern.isEmpty { continue }
            let hosts: HostNames
            do {
                hosts = try HostNames(pattern)
            } catch {
                diagnostics.report(error.message, at: location, remedy: error.remedy)
                continue
            }
            for name in hosts.names {
                declarations.addHost(name, at: location, to: "ungrouped")
                guard let port = hosts.port else { continue }
                var reader = VariableReader(origin: .host(name))
                let key = YAMLNode(.scalar("ansible_port", plain: true), at: location)
                let variable = reader.read(key, YAMLNode(.scalar(port, plain: true), at: location))
                diagnostics.add(reader.diagnostics)
                do {
                    try declarations.set([variable].compactMap(\.self), ofHost: name)
                } catch {
                    diagnostics.add(error)
                }
            }
        }
    }
}

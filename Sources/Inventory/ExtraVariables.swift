import Diagnostics
import Vault
import YAML

/// The variables of `--extra-vars`, the last of a name.
struct ExtraVariables {
    private(set) var variables: [Variable] = []
    private(set) var diagnostics = Diagnostics()
    private static let option = "--extra-vars"
    /// How many mappings were read.
    private var mappings = 0

    /// - Parameter vault: opens encrypted files.
    init(_ texts: [String], _ vault: VaultPasswords) {
        for text in texts { read(text, vault) }
    }

    private mutating func read(_ text: String, _ vault: VaultPasswords) {
        if text.hasPrefix("@") {
            add { () throws(Diagnostics) in
                let file = try VariableFile(reading: String(text.dropFirst()), vault)
                return (file.root, file.isEncrypted)
            }
        } else if text.hasPrefix("{") {
            // All begin in line 1: without its number, a secret of one would be taken for that of another.
            mappings += 1
            let place = mappings == 1 ? Self.option : "\(Self.option) no. \(mappings)"
            add { () throws(Diagnostics) in (try YAML.parse(text, file: place), false) }
        } else {
            readAssignment(text)
        }
    }

    private mutating func add(_ read: () throws(Diagnostics) -> (root: YAMLNode?, isEncrypted: Bool)) {
        do {
            let (root, isEncrypted) = try read()
            guard let root else { return }
            var reader = VariableReader(origin: .commandLine)
            reader.isEncrypted = isEncrypted
            variables += reader.read(root)
            diagnostics.add(reader.diagnostics)
        } catch {
            diagnostics.add(error)
        }
    }

    private mutating func readAssignment(_ text: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            let isPath = text.hasPrefix("/") || text.hasPrefix(".")
            diagnostics.report(
                "\(Self.option): '\(text)' sets nothing",
                remedy: isPath ? "write '@\(text)' for the variables of a file" : "write KEY=VALUE or @FILE")
            return
        }
        guard !Self.setsMore(parts[1]) else {
            diagnostics.report(
                "\(Self.option): '\(text)' sets more than one variable",
                remedy: "write each in a '-e' of its own, or a value with blanks in quotes")
            return
        }
        let file = "\(Self.option) \(parts[0])"
        let start = SourceLocation(file: file, line: 1, column: 1)
        do {
            let value = try YAML.parse(parts[1], file: file) ?? YAMLNode(.scalar("", plain: true), at: start)
            var reader = VariableReader(origin: .commandLine)
            if let variable = reader.read(YAMLNode(.scalar(parts[0], plain: true), at: start), value) {
                variables.append(variable)
            }
            diagnostics.add(reader.diagnostics)
        } catch {
            diagnostics.add(error)
        }
    }

    /// Whether Ansible would find another assignment in a value, as in `a=1 b=2`.
    private static func setsMore(_ value: String) -> Bool {
        guard let first = value.first, !"\"'[{!".contains(first) else { return false }
        return value.split(separator: " ").dropFirst().contains { word in
            word.contains("=") && Name.isVariable(String(word.prefix { $0 != "=" }))
        }
    }
}

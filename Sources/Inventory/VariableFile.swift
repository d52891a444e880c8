import Diagnostics
import Vault
import YAML

/// A file of variables, which ansible-vault may have encrypted.
struct VariableFile {
    /// Nil when it holds nothing.
    let root: YAMLNode?
    /// Whether all its values are secrets.
    let isEncrypted: Bool

    /// - Throws: `Diagnostics` with what is wrong, which show nothing of what was encrypted.
    init(reading path: String, _ vault: VaultPasswords) throws(Diagnostics) {
        let text: String
        do {
            text = try TextFile.read(path)
            isEncrypted = VaultText.isIn(text)
            guard isEncrypted else {
                root = try YAML.parse(text, file: path)
                return
            }
        } catch let diagnostics as Diagnostics {
            throw diagnostics
        } catch {
            throw Diagnostics([error as? Diagnostic ?? Diagnostic("\(error)")])
        }
        let clear: String
        do {
            let start = SourceLocation(file: path, line: 1, column: 1)
            clear = try vault.text(of: VaultText(text, at: start), "the file", at: start)
        } catch {
            throw Diagnostics([error])
        }
        do {
            root = try YAML.parse(clear, file: path)
        } catch {
            throw Diagnostics(
                error.all.map { fault in
                    Diagnostic(
                        "what is encrypted here is not the YAML of variables", at: fault.location,
                        remedy: "correct it by 'drover secret edit \(path)'")
                })
        }
    }
}

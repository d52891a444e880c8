import Diagnostics
import Inventory
public import SystemResources
import YAML

extension SystemSettings {
    /// One of `copy_files_to_all_server`: a file of the controller that all hosts have.
    public struct CopiedFile: Sendable, Equatable {
        public let source: LocalFile
        public let destination: String
        public let owner: String
        public let group: String
        public let mode: FileMode
    }
}

/// The same as the inventory has it, before the file was looked for.
private struct GivenFile: YAMLDecodable, Equatable {
    let source: String
    let destination: String
    let owner: String
    let group: String
    let mode: UInt16

    /// `{ src: files/notify, dest: /usr/local/bin/notify, owner: root, group: root, mode: '0755' }`.
    init(yaml node: YAMLNode) throws {
        var reader = try MappingReader(node, what: "a file to copy")
        let given: String? = reader.required("src")
        let place: String? = reader.required("dest")
        owner = reader.optional("owner") ?? "root"
        group = reader.optional("group") ?? owner
        let digits: String = reader.optional("mode") ?? "0644"
        let bits = digits.wholeMatch(of: /0?o?[0-7]{3}/) == nil ? nil : UInt16(digits.suffix(3), radix: 8)
        if bits == nil {
            reader.diagnostics.report(
                "'\(digits)' is no mode of a file", at: node.location, remedy: "write it in quotes, like '0644'")
        }
        if let place, place.wholeMatch(of: /(\/[A-Za-z0-9_.@+-]+)+/) == nil {
            reader.diagnostics.report(
                "'\(place)' is no path of a file", at: node.location, remedy: "write an absolute path without blanks")
        }
        for name in [owner, group] where name.wholeMatch(of: /[a-z_][a-z0-9_.-]*/) == nil {
            reader.diagnostics.report(
                "'\(name)' is no user and no group", at: node.location, remedy: "name one that the hosts have")
        }
        (source, destination, mode) = try reader.finish(given, place, bits)
    }
}

extension Variables {
    /// `copy_files_to_all_server`.
    ///
    /// - Parameter directory: of the inventory, where relative paths begin.
    mutating func copiedFiles(in directory: String) -> [SystemSettings.CopiedFile] {
        let name = "copy_files_to_all_server"
        let given: [GivenFile] = optional(name) ?? []
        reportRepeated(given.map(\.destination), in: name)
        return given.compactMap { file in
            let path = file.source.hasPrefix("/") ? file.source : directory + file.source
            do throws(Diagnostic) {
                return SystemSettings.CopiedFile(
                    source: try LocalFile(path), destination: file.destination, owner: file.owner, group: file.group,
                    mode: FileMode(integerLiteral: file.mode))
            } catch {
                diagnostics.report(error.message, at: location(of: name), remedy: "name a file of this machine")
                return nil
            }
        }
    }
}

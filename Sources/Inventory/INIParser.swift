import Diagnostics
import YAML

/// Reads Ansible's INI inventory.
///
/// Source: ansible-core 2.19, plugins/inventory/ini.py.
struct INIParser {
    /// What the lines below a heading are.
    private enum Section {
        case hosts(of: String)
        case children(of: String)
        case variables(of: String)
        /// Those of a heading that was refused.
        case unknown
    }

    var diagnostics = Diagnostics()
    private(set) var declarations: Declarations
    private let file: String
    private var section = Section.hosts(of: "ungrouped")
    private var line = 0
    /// Where groups are named that no heading has declared yet.
    private var awaited: [String: (place: SourceLocation, section: String)] = [:]
    /// The groups above those that are awaited.
    private var parents: [String: [String]] = [:]

    init(_ declarations: Declarations, file: String) {
        self.declarations = declarations
        self.file = file
    }

    mutating func parse(_ text: String) {
        let newline = UInt8(ascii: "\n")
        for bytes in text.utf8.split(separator: newline, omittingEmptySubsequences: false) {
            let content = Substring(bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes)
            line += 1
            read(content)
        }
        for (name, (place, section)) in awaited {
            diagnostics.report(
                "[\(section)] names the group '\(name)', which is not declared", at: place,
                remedy: Suggestion.remedy(for: name, among: declarations.groupNames.filter { awaited[$0] == nil })
                    ?? "write a [\(name)] with its hosts")
        }
    }

    private mutating func read(_ content: Substring) {
        let bytes = content.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let indented = Substring(bytes)
        guard let first = indented.first, first != "#", first != ";" else { return }
        let column = content.utf8.count - indented.utf8.count + 1
        if content.utf8.contains(0) {
            diagnostics.report("the line holds a NUL", at: place(column), remedy: "take it out")
        } else if first == "[", let heading = INIHeading(indented) {
            begin(heading, column)
        } else {
            switch section {
            case .hosts(let group): readHosts(indented, column, group)
            case .children(let group): readChild(indented, column, group)
            case .variables(let group): readVariable(indented, column, group)
            case .unknown: break
            }
        }
    }

    private func place(_ column: Int) -> SourceLocation { SourceLocation(file: file, line: line, column: column) }

    private mutating func begin(_ heading: INIHeading, _ column: Int) {
        let name = heading.group
        section = .unknown
        guard Name.isGroup(name) else {
            diagnostics.report(
                "'[\(heading.text)]' is no heading", at: place(column),
                remedy: "write [GROUP], [GROUP:vars] or [GROUP:children]")
            return
        }
        let isNew = declarations.groups[name] == nil
        switch heading.kind {
        case nil, "hosts": section = .hosts(of: name)
        case "children": section = .children(of: name)
        case "vars": section = .variables(of: name)
        case let kind?:
            diagnostics.report(
                "'\(kind)' is no kind of a section", at: place(column),
                remedy: Suggestion.remedy(for: kind, among: ["vars", "children", "hosts"])
                    ?? "write [\(name)], [\(name):vars] or [\(name):children]")
            return
        }
        declarations.addGroup(name, at: place(column))
        if heading.kind == "vars" {
            if isNew && awaited[name] == nil { awaited[name] = (place(column), heading.text) }
        } else {
            awaited[name] = nil
            for parent in parents.removeValue(forKey: name) ?? [] { declarations.addChild(name, to: parent) }
        }
    }

    private mutating func readHosts(_ text: Substring, _ column: Int, _ group: String) {
        let words: [ShellWords.Word]
        let hosts: HostNames
        do {
            words = try ShellWords.split(text)
        } catch {
            switch error {
            case .openQuote: diagnostics.report("a quote is not closed in this line", at: place(column))
            case .loneBackslash: diagnostics.report("nothing follows the '\\' at the end", at: place(column))
            }
            return
        }
        guard let pattern = words.first else { return }
        do {
            hosts = try HostNames(pattern.text)
        } catch {
            diagnostics.report(error.message, at: place(column), remedy: error.remedy)
            return
        }
        var assignments: [(key: YAMLNode, value: INIValue)] = []
        if let port = hosts.port {
            assignments.append((key("ansible_port", column), INIValue(port, at: place(column))))
        }
        for word in words.dropFirst() {
            let column = column + word.offset
            guard let (name, value) = split(word.text) else {
                diagnostics.report(
                    "'\(word.text)' sets no variable", at: place(column), remedy: "write NAME=VALUE without blanks")
                continue
            }
            assignments.append((key(name, column), INIValue(value, at: place(column + name.count + 1))))
        }
        for name in hosts.names {
            declarations.addHost(name, at: place(column), to: group)
            let variables = variables(assignments, origin: .host(name))
            report { (declarations: inout Declarations) throws(Diagnostics) in
                try declarations.set(variables, ofHost: name)
            }
        }
    }

    private mutating func readChild(_ text: Substring, _ column: Int, _ group: String) {
        let name = String(text.prefix { $0 != "#" }).trimmed
        guard Name.isGroup(name) else {
            diagnostics.report(
                "'\(name)' is no name of a group", at: place(column), remedy: "use letters, digits and '_'")
            return
        }
        guard name != "all", name != group else {
            diagnostics.report("'\(name)' cannot be below '\(group)'", at: place(column))
            return
        }
        if declarations.groups[name] != nil {
            declarations.addChild(name, to: group)
        } else {
            if awaited[name] == nil { awaited[name] = (place(column), "\(group):children") }
            parents[name, default: []].append(group)
        }
    }

    private mutating func readVariable(_ text: Substring, _ column: Int, _ group: String) {
        guard let (name, value) = split(String(text)) else {
            diagnostics.report("this line sets no variable", at: place(column), remedy: "write NAME=VALUE")
            return
        }
        let valueColumn = column + name.count + 1 + value.prefix { $0 == " " || $0 == "\t" }.count
        let assignment = (key(name.trimmed, column), INIValue(value.trimmed, at: place(valueColumn)))
        let variables = variables([assignment], origin: VariableOrigin(ofGroup: group))
        report { (declarations: inout Declarations) throws(Diagnostics) in
            try declarations.set(variables, ofGroup: group)
        }
    }

    private func split(_ text: String) -> (name: String, value: String)? {
        guard let mark = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        return (String(text[..<mark]), String(text[text.utf8.index(after: mark)...]))
    }

    private func key(_ name: String, _ column: Int) -> YAMLNode {
        YAMLNode(.scalar(name, plain: true), at: place(column))
    }

    private mutating func variables(_ assignments: [(key: YAMLNode, value: INIValue)], origin: VariableOrigin)
        -> [Variable]
    {
        guard !assignments.isEmpty else { return [] }
        var reader = VariableReader(origin: origin)
        var variables: [Variable] = []
        for (key, value) in assignments {
            guard let variable = reader.read(key, value.node, isText: value.isText) else { continue }
            // The last of a line wins.
            variables.removeAll { $0.name == variable.name }
            variables.append(variable)
        }
        diagnostics.add(reader.diagnostics)
        return variables
    }

    private mutating func report(_ body: (inout Declarations) throws(Diagnostics) -> Void) {
        do {
            try body(&declarations)
        } catch {
            diagnostics.add(error)
        }
    }
}

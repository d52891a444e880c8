/// A place in a text that a person wrote: an inventory, a template, a playbook option.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
    /// The file as the person named it, or a word for what is no file, such as `--extra-vars`.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// The column, counted from 1, in characters.
    public var column: Int

    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    public var description: String { "\(file):\(line):\(column)" }
}

extension SourceLocation: Comparable {
    public static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

import Engine
import SystemResources

/// What stands at a path of a ``SampleSystem``.
struct SampleFile: Sendable {
    /// Nil for a directory.
    var content: String?
    var owner: String
    var group: String
    var mode: FileMode
    var modified: Timestamp

    var attributes: FileStatus.Attributes {
        FileStatus.Attributes(
            kind: content == nil ? .directory : .file, mode: mode, owner: owner, group: group, modified: modified)
    }
}

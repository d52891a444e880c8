import Engine
import Secrets

/// What was found at a path cannot be edited.
struct Uneditable: Error {
    let path: String
    let reason: String

    /// The plan says that it cannot be done, and so does the run, which then stops before what builds upon it.
    var change: Change {
        let sentence = "cannot edit \(path): \(reason)"
        return Change(sentence, script: "echo \(quoting: sentence)\nexit 1")
    }
}

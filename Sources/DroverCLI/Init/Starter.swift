import Diagnostics
import FoundationEssentials
import SystemPackage

/// The package in the folder `starter/`, which builds as it stands there, and under another name elsewhere.
struct Starter {
    /// Where it is.
    let folder: String
    /// What it is to be called.
    let name: PackageName
    let checkout: Checkout

    /// - Parameter place: the folder to make.
    /// - Throws: a `Diagnostic` when it is there and not empty, or cannot be made.
    func copy(to place: String) throws(Diagnostic) {
        guard isFree(place) else {
            throw Diagnostic("'\(place)' is there already and not empty", remedy: "name a new folder")
        }
        do {
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder) where isPart(file) {
                let text = String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(file)")), as: UTF8.self)
                let path = FilePath("\(place)/\(file.replacing("Starter", with: name.name))")
                try FileManager.default.createDirectory(
                    atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
                try Data(adapted(text).utf8).write(to: URL(filePath: path.string))
            }
        } catch {
            throw Diagnostic("cannot make '\(place)': \(error)")
        }
        try SourceLink.make(in: place, to: checkout)
    }

    private func isFree(_ place: String) -> Bool {
        let files = FileManager.default
        guard files.fileExists(atPath: place) else { return true }
        return (try? files.contentsOfDirectory(atPath: place).isEmpty) ?? false
    }

    /// Everything but folders, and what building it in place has left.
    private func isPart(_ file: String) -> Bool {
        var isFolder = false
        guard FileManager.default.fileExists(atPath: "\(folder)/\(file)", isDirectory: &isFolder) else { return false }
        return !isFolder && !file.hasPrefix(".build") && file != "Package.resolved"
    }

    /// The text with the new name, and with the link to Drover, which stands above the starter itself.
    private func adapted(_ text: String) -> String {
        text.replacing("import Starter", with: "import \(name.module)").replacing("Starter", with: name.name)
            .replacing("path: \"..\"", with: "path: \"\(SourceLink.name)\"")
    }
}

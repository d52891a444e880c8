import SystemPackage

/// What all hosts of a release share: the root that they are laid over, and the packages that they can install.
struct Image {
    var folder: FilePath

    /// The root folder of a Debian, which nobody writes to once it is made.
    var root: FilePath { folder.appending("root") }
    /// The folder that the lab's package repository serves.
    var packages: FilePath { folder.appending("packages") }

    static let cache: FilePath = "/var/cache/drover/lab"

    /// The image of a recipe, which is made first if it is not in the cache.
    ///
    /// - Parameter progress: is told what takes long.
    static func make(by recipe: ImageRecipe, progress: (String) -> Void) async throws -> Image {
        try await Files.withLock(on: cache) {
            let bare = try await make(recipe.bare) { image in
                progress(
                    "Making the root of a Debian host and its package repository; this happens once and takes a minute."
                )
                return [recipe.rootCommand(image: image), recipe.indexCommand(image: image)]
            }
            guard recipe.isPrepared else { return bare }
            return try await make(recipe) { image in
                progress("Installing the packages of a cluster there; this happens once and takes half a minute.")
                return [recipe.preparationCommand(from: bare, to: image)]
            }
        }
    }

    /// The image of a recipe, which some commands make as a draft unless it is in the cache.
    private static func make(_ recipe: ImageRecipe, by commands: (Image) -> [[String]]) async throws -> Image {
        let image = Image(folder: cache.appending(recipe.name))
        if Files.exist(image.folder) { return image }
        let draft = Image(folder: cache.appending(recipe.name + ".draft"))
        let workers = ControlGroup(path: "drover.image")
        try await workers.kill()
        try Files.remove(draft.folder)
        try Files.createFolder(draft.packages)
        try workers.create()
        // A directory for temporary files of this machine need not exist in the root, where packages are installed.
        for command in commands(draft) {
            try await Program.run(workers.joining(["env", "--unset=TMPDIR"] + command))
        }
        try workers.remove()
        try Files.move(draft.folder, to: image.folder)
        return image
    }
}

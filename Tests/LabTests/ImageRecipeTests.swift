import Testing

@testable import Lab

@Suite("The recipe of an image")
struct ImageRecipeTests {
    @Test("names the image after the release and all of itself")
    func name() throws {
        let names = Release.allCases.flatMap { release in
            [false, true].map { ImageRecipe(release: release, isPrepared: $0).name }
        }
        #expect(Set(names).count == 2 * Release.allCases.count)
        let name = try #require(names.first)
        #expect(name.hasPrefix("bookworm-"))
        #expect(name.count == "bookworm-".count + 12)
        #expect(ImageRecipe(release: .bookworm).name == name)
    }

    @Test("leaves out of a fresh host what a deployment installs", arguments: Release.allCases)
    func bare(release: Release) {
        let recipe = ImageRecipe(release: release)
        #expect(Set(recipe.basePackages).isDisjoint(with: recipe.repositoryPackages))
        #expect(recipe.repositoryPackages.contains("postgresql-\(release.postgresqlVersion)"))
    }
}

import Testing

@testable import DroverCLI

@Suite("Arguments of a saved plan")
struct SavedArgumentsTests {
    @Test(
        "what is said of the output is not a part of the plan",
        arguments: [
            (["-i", "lab.yml", "-o", "plan.json", "--json"], ["-i", "lab.yml"]),
            (["--report", "r.html", "-i", "lab.yml", "--stats"], ["-i", "lab.yml"]),
            (["--report=r.html", "--output=plan.json", "--no-diff", "--limit", "pg1"], ["--limit", "pg1"]),
        ])
    func kept(words: [String], kept: [String]) {
        #expect(PlanFile.arguments(of: words) == kept)
    }
}

import Diagnostics
import FoundationEssentials
import TestSupport
import Testing

@testable import DroverCLI

@Suite("init")
struct InitTests {
    private static let drover = [
        "Package.swift": "", "Sources/Engine/Run.swift": "", "Sources/DroverCLI/Text.swift": "",
    ]

    private static let starter = [
        "starter/Package.swift": #"name: "Starter", path: "..", "StarterTests""#,
        "starter/Sources/Starter/Main.swift": #"static let name = "Starter""#,
        "starter/Tests/StarterTests/ATests.swift": "@testable import Starter\n",
        "starter/templates/motd": "{{ host }}\n",
        "starter/.gitignore": ".build*\n",
        "starter/.build/debug/Starter": "",
        "starter/Package.resolved": "",
    ]

    @Test("makes a package of another name beside a checkout")
    func copies() throws {
        let files = try TemporaryDirectory(Self.drover.merging(Self.starter) { first, _ in first })
        let checkout = try Checkout(files.path)
        let starter = Starter(
            folder: "\(files.path)/starter", name: try PackageName("my-herd", checkout: checkout.name),
            checkout: checkout)
        try starter.copy(to: "\(files.path)/new/my-herd")
        func text(_ name: String) throws -> String { try files.text(of: "new/my-herd/\(name)") }
        #expect(try text("Package.swift") == #"name: "my-herd", path: "drover", "my-herdTests""#)
        #expect(try text("Sources/my-herd/Main.swift") == #"static let name = "my-herd""#)
        #expect(try text("Tests/my-herdTests/ATests.swift") == "@testable import my_herd\n")
        #expect(try text("templates/motd") == "{{ host }}\n")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(files.path)/new/my-herd").sorted()
                == [".gitignore", "Package.swift", "Sources", "Tests", "drover", "templates"])
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(files.path)/new/my-herd/drover") == files.path)
        let error = #expect(throws: Diagnostic.self) { try starter.copy(to: "\(files.path)/new") }
        #expect(error?.message == "'\(files.path)/new' is there already and not empty")
        #expect(throws: Diagnostic.self) { try starter.copy(to: "\(files.path)/Package.swift") }
    }

    @Test(
        "refuses names that no package can have",
        arguments: [
            ("", "'' cannot name a Swift package; use letters, digits, '-' and '_', and a letter first"),
            ("2nd", "'2nd' cannot name a Swift package; use letters, digits, '-' and '_', and a letter first"),
            ("a b", "'a b' cannot name a Swift package; use letters, digits, '-' and '_', and a letter first"),
            ("käse", "'käse' cannot name a Swift package; use letters, digits, '-' and '_', and a letter first"),
            ("default", "'default' cannot name a Swift package: it is a word of the language"),
            ("Inventory", "'Inventory' cannot name the package: something that it builds with has this name"),
            ("drover", "'drover' cannot name the package: something that it builds with has this name"),
            ("Checkout", "'Checkout' cannot name the package: something that it builds with has this name"),
        ])
    func names(name: String, message: String) {
        let error = #expect(throws: Diagnostic.self) { try PackageName(name, checkout: "checkout") }
        #expect(error?.description == message)
    }

    @Test("accepts the others", arguments: [("herd", "herd"), ("my-servers", "my_servers"), ("Lab_2", "Lab_2")])
    func modules(name: String, module: String) throws {
        #expect(try PackageName(name, checkout: "drover").module == module)
    }

    @Test("wants the sources of Drover to build with")
    func checkout() throws {
        let files = try TemporaryDirectory(Self.drover)
        #expect(try Checkout("\(files.path)/Sources/..").path == files.path)
        let error = #expect(throws: Diagnostic.self) { try Checkout("\(files.path)/Sources") }
        #expect(
            error?.description == "'\(files.path)/Sources' has no sources of Drover; "
                + "write --drover PATH with the folder that has Drover's Package.swift")
    }

    @Test("a package that was cloned lacks the link alone")
    func cloned() throws {
        let files = try TemporaryDirectory(
            Self.drover.merging(["herd/Package.swift": #"path: "drover""#, "other/Package.swift": ""]) { first, _ in
                first
            })
        let herd = "\(files.path)/herd"
        #expect(SourceLink.isMissing(in: herd))
        #expect(!SourceLink.isMissing(in: "\(files.path)/other"))
        #expect(!SourceLink.isMissing(in: "\(files.path)/none"))
        try SourceLink.make(in: herd, to: try Checkout(files.path))
        #expect(!SourceLink.isMissing(in: herd))
        #expect(FileManager.default.fileExists(atPath: "\(herd)/drover/Package.swift"))
    }

    @Test(
        "reads a folder as it is named",
        arguments: [("/a/b/", "b"), ("/a/./b/../c", "c"), ("/", ""), ("x/herd", "herd")])
    func places(path: String, name: String) {
        #expect(Place(path).name == name)
        #expect(Place(path).path.hasPrefix("/"))
    }
}

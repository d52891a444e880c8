// swift-tools-version: 6.2
import PackageDescription

/// Whether this is the build of `make test`, which makes optimized programs and their tests at once.
let isTestedRelease = Context.environment["DROVER_INTEGRATION"] == "release"

/// Tests see what is internal. In a debug build they do anyway.
let testability: [SwiftSetting] = isTestedRelease ? [.unsafeFlags(["-enable-testing"])] : []

/// Does for a program what `--static-swift-stdlib` does, with which no test can be built: it has no module `Testing`.
let staticLibraries: [LinkerSetting] =
    isTestedRelease ? [.unsafeFlags(["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections"])] : []

/// One list for every target, so that no target is compiled more leniently than another.
let settings: [SwiftSetting] =
    [
        .swiftLanguageMode(.v6),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + testability

/// The tests run once for a build, most of the time in what they test: optimizing them costs more than it gains.
let testSettings = settings + [.unsafeFlags(["-Onone"])]

/// A library of Drover under `Sources/`, which only those written after it in the list of targets may import.
func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The unit tests of one library: fast, and without need of root.
func unitTests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + dependencies, exclude: exclude,
        swiftSettings: testSettings)
}

let nio: [Target.Dependency] = [
    .product(name: "NIOCore", package: "swift-nio"),
    .product(name: "NIOPosix", package: "swift-nio"),
]
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let x509: [Target.Dependency] = [
    .product(name: "X509", package: "swift-certificates"), .product(name: "SwiftASN1", package: "swift-asn1"),
]
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")
let systemPackage: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")

let package = Package(
    name: "drover",
    products: [
        .executable(name: "drover", targets: ["Playbooks"]),
        // For packages with playbooks of their own: `drover init` makes one.
        .library(name: "Drover", targets: ["Drover"]),
        // For the tests of those playbooks.
        .library(name: "DroverTesting", targets: ["DroverTesting"]),
        // For their playbooks about PostgreSQL clusters.
        .library(name: "PostgresCluster", targets: ["PostgresCluster", "ClusterCLI"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
    ],
    targets: [
        .systemLibrary(name: "CLibSSH2", pkgConfig: "libssh2", providers: [.apt(["libssh2-1-dev"])]),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        library("Diagnostics"),
        library("Secrets"),
        library("Programs", [subprocess]),
        library("SSH", ["CLibSSH2", "Programs", "Secrets", crypto, subprocess, systemPackage] + nio),
        library("YAML", ["CLibYAML", "Diagnostics", systemPackage]),
        library("Templates", ["Diagnostics", "Secrets", "YAML"]),
        library("Vault", ["Diagnostics", "Secrets", crypto, cryptoExtras]),
        library("Certificates", ["Diagnostics", "Secrets", crypto] + x509),
        library("Inventory", ["Diagnostics", "Secrets", "SSH", "Vault", "YAML", subprocess, systemPackage]),
        library("Engine", ["Diagnostics", "Secrets", "SSH", "Inventory", argumentParser, crypto] + nio),
        library(
            "SystemResources",
            ["Diagnostics", "Secrets", "Inventory", "Engine", argumentParser, crypto, subprocess]),
        library(
            "PostgresCluster",
            [
                "Certificates", "Diagnostics", "Secrets", "Vault", "YAML", "Templates", "Inventory", "Engine",
                "SystemResources", argumentParser, crypto, systemPackage,
            ]),
        library("Lab", ["Diagnostics", "Programs", crypto, subprocess, systemPackage]),
        library(
            "DroverCLI",
            [
                "Diagnostics", "Secrets", "SSH", "YAML", "Inventory", "Engine", "SystemResources", "Lab", "Programs",
                "Vault", argumentParser, subprocess, systemPackage, unixSignals,
            ] + nio),
        library(
            "Drover",
            [
                "Diagnostics", "Secrets", "YAML", "Templates", "Inventory", "Engine", "SystemResources", "DroverCLI",
                argumentParser,
            ]),
        library("DroverTesting", ["Drover", "Engine", "Inventory", "SystemResources"]),
        library(
            "ClusterCLI",
            ["Diagnostics", "Inventory", "Engine", "DroverCLI", "PostgresCluster", argumentParser]),
        .executableTarget(
            name: "Playbooks",
            dependencies: [
                "Diagnostics", "Secrets", "YAML", "Templates", "Inventory", "Engine", "SystemResources",
                "PostgresCluster", "DroverCLI", "ClusterCLI", argumentParser,
            ], path: "playbooks", swiftSettings: settings, linkerSettings: staticLibraries),

        unitTests("Diagnostics"),
        unitTests("Secrets"),
        unitTests("Programs", [subprocess]),
        unitTests("SSH", nio + [crypto, "Programs", "Secrets", subprocess, systemPackage]),
        unitTests("YAML", ["Diagnostics"]),
        unitTests("Vault", ["Diagnostics", "Secrets"], exclude: ["Fixtures"]),
        unitTests("Certificates", ["Secrets"]),
        unitTests(
            "Inventory", ["Diagnostics", "SSH", "Secrets", "TestSupport", "Vault", "YAML"],
            exclude: ["Expressions", "Golden", "Vault"]),
        unitTests("Templates", ["Diagnostics", "Secrets", "TestSupport"]),
        unitTests("Engine", ["Diagnostics", "Inventory", "Secrets", "TestSupport", argumentParser] + nio),
        unitTests(
            "SystemResources",
            ["Diagnostics", "Drover", "Engine", "Inventory", "Secrets", "TestSupport", argumentParser]),
        unitTests(
            "PostgresCluster",
            [
                "Certificates", "Diagnostics", "Engine", "Inventory", "Secrets", "SystemResources", "TestSupport",
                "Vault", "YAML", argumentParser,
            ],
            exclude: ["Golden", "Releases"]),
        unitTests(
            "DroverCLI",
            ["Diagnostics", "Engine", "Inventory", "Secrets", "SystemResources", "TestSupport"]),
        unitTests("DroverTesting", ["Drover"]),
        unitTests("ClusterCLI", ["DroverCLI", "PostgresCluster"]),
        .target(
            name: "TestSupport", dependencies: ["Programs", subprocess, systemPackage], path: "Tests/TestSupport",
            swiftSettings: testSettings),
        unitTests("Lab", ["Diagnostics", systemPackage]),
    ]
)

// The tests against lab hosts want root and minutes, so `swift test` alone leaves them out: see `make test`.
if Context.environment["DROVER_INTEGRATION"] != nil {
    package.products.append(.executable(name: "drover-tests", targets: ["TestPlaybooks"]))
    package.targets += [
        .executableTarget(
            name: "TestPlaybooks",
            dependencies: ["Secrets", "Inventory", "Engine", "SystemResources", "DroverCLI", argumentParser],
            path: "Tests/Playbooks", swiftSettings: settings, linkerSettings: staticLibraries),
        .testTarget(
            name: "IntegrationTests", dependencies: ["TestSupport", crypto, subprocess],
            path: "Tests/Integration", exclude: ["Support/moto-requirements.txt", "Support/wal-g-stand-in"],
            swiftSettings: testSettings),
    ]
}

// The readers that `make fuzz` gives to libFuzzer are those that the tests feed with mutated input.
let fuzzedReaders: [Target.Dependency] = [
    "Engine", "Inventory", "PostgresCluster", "SSH", "Secrets", "SystemResources", "Vault",
]
if Context.environment["DROVER_FUZZ"] != nil {
    package.products.append(.executable(name: "fuzzer", targets: ["Fuzzer"]))
    package.targets.append(
        .executableTarget(
            name: "Fuzzer", dependencies: fuzzedReaders, path: "Tests/Fuzzing",
            exclude: ["MutationTests.swift", "Mutants.swift"], swiftSettings: settings))
} else {
    package.targets.append(
        .testTarget(
            name: "FuzzingTests", dependencies: fuzzedReaders, path: "Tests/Fuzzing", exclude: ["Fuzzer.swift"],
            swiftSettings: testSettings))
}

// What `make bench` compares with other tools: only for it.
if Context.environment["DROVER_BENCHMARK"] != nil {
    package.products.append(.executable(name: "drover-workload", targets: ["Workload"]))
    package.targets.append(
        .executableTarget(
            name: "Workload",
            dependencies: ["Engine", "DroverCLI", "Inventory", "Secrets", "SystemResources", argumentParser],
            path: "Benchmarks/Workload/Drover", swiftSettings: settings))
}

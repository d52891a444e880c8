// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Starter",
    products: [.executable(name: "Starter", targets: ["Starter"])],
    dependencies: [.package(name: "drover", path: "..")],
    targets: [
        .executableTarget(
            name: "Starter", dependencies: [.product(name: "Drover", package: "drover")],
            // LLVM's linker comes with the toolchain, and is quicker than the system's.
            linkerSettings: [.unsafeFlags(["-use-ld=lld"])]),
        .testTarget(
            name: "StarterTests", dependencies: ["Starter", .product(name: "DroverTesting", package: "drover")]),
    ]
)

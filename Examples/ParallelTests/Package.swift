// swift-tools-version: 6.1
// A package of its own whose tests run in parallel, all of them on one static key, and never see one another's settings.
//
//     cd Examples/ParallelTests
//     swift test
import PackageDescription

let package = Package(
    name: "ParallelTests",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In your package: .package(url: "https://github.com/OWNER/TypedDefaults", branch: "main")
        .package(name: "TypedDefaults", path: "../..")
    ],
    targets: [
        .target(
            name: "Volume",
            dependencies: [
                .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "TypedDefaultsCompatibility", package: "TypedDefaults"),
            ]),
        .testTarget(
            name: "VolumeTests",
            dependencies: [
                "Volume", .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "TypedDefaultsCompatibility", package: "TypedDefaults"),
                .product(name: "TypedDefaultsTesting", package: "TypedDefaults"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

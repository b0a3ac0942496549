// swift-tools-version: 6.1

import PackageDescription

/// Keys as options and flags of swift-argument-parser: names, help, parsing and validations come from the key.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "TypedDefaultsArgumentParser",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "TypedDefaultsArgumentParser", targets: ["TypedDefaultsArgumentParser"])
    ],
    dependencies: [
        .package(name: "TypedDefaults", path: "../.."),
        // `DefaultsOptions` stands in for the mirror and the decoding that ArgumentParser makes of a group's properties,
        // which a minor version may change.
        .package(url: "https://github.com/apple/swift-argument-parser.git", .upToNextMinor(from: "1.8.2")),
    ],
    targets: [
        .target(
            name: "TypedDefaultsArgumentParser",
            dependencies: [
                .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        // The tool that the tests start: ten options, of which two are secrets.
        .executableTarget(
            name: "player-tool",
            dependencies: [
                "TypedDefaultsArgumentParser",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/PlayerTool", swiftSettings: strict),
        .testTarget(
            name: "TypedDefaultsArgumentParserTests",
            dependencies: [
                "TypedDefaultsArgumentParser", "player-tool",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.1

import PackageDescription

/// `defaultsctl`, which looks into suites, changes, watches and repairs them from a shell.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "TypedDefaultsTools",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "defaultsctl", targets: ["defaultsctl"])],
    dependencies: [
        .package(name: "TypedDefaults", path: ".."),
        .package(path: "../Integrations/TypedDefaultsTerminal"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        .executableTarget(
            name: "defaultsctl",
            dependencies: [
                .product(name: "DefaultsStore", package: "TypedDefaults"),
                .product(name: "DefaultsTerminal", package: "TypedDefaultsTerminal"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DefaultsctlTests",
            dependencies: ["defaultsctl", .product(name: "TypedDefaults", package: "TypedDefaults")],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

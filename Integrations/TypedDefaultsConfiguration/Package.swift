// swift-tools-version: 6.2

import PackageDescription

/// Suites as providers of swift-configuration, and its providers as sources of default values.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // As swift-configuration is built, whose protocols take closures that stay where their caller is.
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "TypedDefaultsConfiguration",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "TypedDefaultsConfiguration", targets: ["TypedDefaultsConfiguration"])],
    dependencies: [
        .package(name: "TypedDefaults", path: "../.."),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
    ],
    targets: [
        .target(
            name: "TypedDefaultsConfiguration",
            dependencies: [
                .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "Configuration", package: "swift-configuration"),
            ],
            swiftSettings: strict),
        // The second process of the tests.
        .executableTarget(
            name: "configuration-peer", dependencies: ["TypedDefaultsConfiguration"],
            path: "Tests/ConfigurationPeer", swiftSettings: strict),
        .testTarget(
            name: "TypedDefaultsConfigurationTests",
            dependencies: [
                "TypedDefaultsConfiguration", "configuration-peer",
                .product(name: "ConfigurationTesting", package: "swift-configuration"),
                .product(name: "DefaultValueSourceConformance", package: "TypedDefaults"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2

import PackageDescription

/// A suite as a service: its failures and changes in the log and in metrics, and a last checkpoint at shutdown.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "TypedDefaultsService",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "TypedDefaultsService", targets: ["TypedDefaultsService"])],
    dependencies: [
        .package(name: "TypedDefaults", path: "../.."),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics.git", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    ],
    targets: [
        .target(
            name: "TypedDefaultsService",
            dependencies: [
                .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: strict),
        // The process that the tests send SIGTERM.
        .executableTarget(
            name: "service-peer",
            dependencies: [
                "TypedDefaultsService",
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            path: "Tests/ServicePeer", swiftSettings: strict),
        .testTarget(
            name: "TypedDefaultsServiceTests",
            dependencies: [
                "TypedDefaultsService", "service-peer",
                .product(name: "InMemoryLogging", package: "swift-log"),
                .product(name: "MetricsTestKit", package: "swift-metrics"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

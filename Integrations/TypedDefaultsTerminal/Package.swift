// swift-tools-version: 6.1

import PackageDescription

/// A settings screen for the terminal, over termios and ANSI alone.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "TypedDefaultsTerminal",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "DefaultsTerminal", targets: ["DefaultsTerminal"])
    ],
    dependencies: [
        .package(name: "TypedDefaults", path: "../..")
    ],
    targets: [
        .target(
            name: "DefaultsTerminal",
            dependencies: [.product(name: "TypedDefaults", package: "TypedDefaults")],
            swiftSettings: strict),
        // The program that the tests start in a pseudo-terminal.
        .executableTarget(
            name: "screen-tool",
            dependencies: [
                "DefaultsTerminal", .product(name: "TypedDefaults", package: "TypedDefaults"),
            ],
            path: "Tests/ScreenTool", swiftSettings: strict),
        .testTarget(
            name: "DefaultsTerminalTests",
            dependencies: [
                "DefaultsTerminal", "screen-tool", .product(name: "TypedDefaults", package: "TypedDefaults"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

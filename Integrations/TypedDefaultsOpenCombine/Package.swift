// swift-tools-version: 6.1

import PackageDescription

/// The publishers of `TypedDefaults` for systems without Combine: the same source file, through a link, against
/// OpenCombine.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "TypedDefaultsOpenCombine",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "TypedDefaultsOpenCombine", targets: ["TypedDefaultsOpenCombine"])],
    dependencies: [
        .package(name: "TypedDefaults", path: "../.."),
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
    ],
    targets: [
        .target(
            name: "TypedDefaultsOpenCombine",
            dependencies: [
                .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "OpenCombine", package: "OpenCombine"),
            ],
            swiftSettings: strict + [.define("TYPEDDEFAULTS_OPENCOMBINE")]),
        .testTarget(
            name: "TypedDefaultsOpenCombineTests", dependencies: ["TypedDefaultsOpenCombine"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

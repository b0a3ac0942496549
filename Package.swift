// swift-tools-version: 6.1

import PackageDescription

/// The settings every target is built with; `.ci/run` adds warnings as errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// What the App Store asks of a library, shipped where Apple's systems build it. Not elsewhere: a target with resources gets
/// a file that imports Foundation.
#if os(macOS)
    let privacy: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
    let unused: [String] = []
#else
    let privacy: [Resource] = []
    let unused = ["PrivacyInfo.xcprivacy"]
#endif

let package = Package(
    name: "TypedDefaults",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "TypedDefaults", targets: ["TypedDefaults"]),
        .library(name: "DefaultsStore", targets: ["DefaultsStore"]),
        .library(name: "TypedDefaultsFoundation", targets: ["TypedDefaultsFoundation"]),
        .library(name: "TypedDefaultsCompatibility", targets: ["TypedDefaultsCompatibility"]),
        .library(name: "DefaultValueSourceConformance", targets: ["DefaultValueSourceConformance"]),
        .library(name: "TypedDefaultsTesting", targets: ["TypedDefaultsTesting"]),
    ],
    targets: [
        .target(name: "CTypedDefaults"),
        .target(
            name: "DefaultsStore", dependencies: ["CTypedDefaults"], exclude: unused, resources: privacy,
            swiftSettings: strict),
        .target(name: "TypedDefaults", dependencies: ["DefaultsStore"], swiftSettings: strict),
        .target(
            name: "TypedDefaultsPropertyLists", dependencies: ["TypedDefaults", "DefaultsStore"],
            swiftSettings: strict),
        .target(
            name: "TypedDefaultsFoundation",
            dependencies: ["TypedDefaults", "DefaultsStore", "TypedDefaultsPropertyLists"], exclude: unused,
            resources: privacy, swiftSettings: strict),
        .target(
            name: "TypedDefaultsCompatibility",
            dependencies: ["TypedDefaults", "DefaultsStore", "TypedDefaultsPropertyLists"],
            swiftSettings: strict),
        .target(
            name: "DefaultValueSourceConformance", dependencies: ["TypedDefaults", "DefaultsStore"],
            swiftSettings: strict),
        .target(name: "TypedDefaultsTesting", dependencies: ["TypedDefaults"], swiftSettings: strict),
        .executableTarget(
            name: "quickstart", dependencies: ["TypedDefaults"], path: "Examples/Quickstart",
            swiftSettings: strict),
        .executableTarget(
            name: "layers", dependencies: ["TypedDefaults"], path: "Examples/Layers", swiftSettings: strict),
        .executableTarget(
            name: "settings", dependencies: ["TypedDefaults", "TypedDefaultsCompatibility"],
            path: "Examples/Settings",
            swiftSettings: strict),
        .executableTarget(
            name: "greeter", dependencies: ["TypedDefaults"], path: "Examples/Greeter",
            exclude: ["greeter.json"], swiftSettings: strict),
        .executableTarget(
            name: "thermostat", dependencies: ["TypedDefaults"], path: "Examples/Thermostat",
            swiftSettings: strict),
        .executableTarget(
            name: "reloader", dependencies: ["TypedDefaults"], path: "Examples/Reloader",
            swiftSettings: strict),
        .executableTarget(
            name: "survivor", dependencies: ["TypedDefaults"], path: "Examples/Survivor",
            swiftSettings: strict),
        .executableTarget(
            name: "mover", dependencies: ["TypedDefaults", "TypedDefaultsFoundation"],
            path: "Examples/Mover", swiftSettings: strict),

        .target(name: "Libc", path: "Tests/Libc", swiftSettings: strict),
        .target(
            name: "TestSupport", dependencies: ["TypedDefaults", "DefaultsStore", "Libc"],
            path: "Tests/TestSupport",
            swiftSettings: strict),
        .executableTarget(
            name: "DefaultsPeer",
            dependencies: ["TypedDefaults", "TypedDefaultsCompatibility", "DefaultsStore", "Libc"],
            path: "Tests/DefaultsPeer",
            swiftSettings: strict),
        .testTarget(
            name: "DefaultsStoreTests", dependencies: ["DefaultsStore", "TestSupport", "Libc"],
            exclude: ["Fixtures"], swiftSettings: strict),
        .testTarget(
            name: "TypedDefaultsTests",
            dependencies: [
                "TypedDefaults", "TypedDefaultsCompatibility", "TypedDefaultsPropertyLists", "DefaultsStore",
                "DefaultValueSourceConformance", "TypedDefaultsTesting", "TestSupport", "Libc",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TypedDefaultsFoundationTests",
            dependencies: [
                "TypedDefaultsFoundation", "TypedDefaultsCompatibility", "TypedDefaultsPropertyLists",
                "TypedDefaults", "DefaultsStore", "DefaultValueSourceConformance", "TestSupport", "Libc",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ProcessTests",
            dependencies: ["TypedDefaults", "DefaultsStore", "TestSupport", "DefaultsPeer", "Libc"],
            swiftSettings: strict),
        .testTarget(
            name: "RepositoryTests",
            dependencies: ["TypedDefaults", "TestSupport", "DefaultsPeer", "quickstart", "settings"],
            exclude: ["Fixtures"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

#if os(Linux)
    // What they do with strace, disk images and /proc, no other system has.
    package.targets.append(
        .testTarget(
            name: "FaultTests",
            dependencies: ["TypedDefaults", "DefaultsStore", "TestSupport", "DefaultsPeer", "Libc"],
            swiftSettings: strict))
#endif

// swift-tools-version: 6.1

import PackageDescription

/// The measurements beside what comes with Swift and Debian; those beside other packages are in `Peers`.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let store = Target.Dependency.product(name: "DefaultsStore", package: "TypedDefaults")
let typed = Target.Dependency.product(name: "TypedDefaults", package: "TypedDefaults")

/// One program of a few lines, whose name is that of its folder in small letters.
func program(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/\(folder)", swiftSettings: strict)
}

let package = Package(
    name: "TypedDefaultsBenchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "ratios", targets: ["ratios"]),
        .executable(name: "scale", targets: ["scale"]),
        .library(name: "Measuring", targets: ["Measuring"]),
        .library(name: "LMDB", targets: ["LMDB"]),
    ],
    dependencies: [.package(name: "TypedDefaults", path: "..")],
    targets: [
        .target(name: "Measuring", swiftSettings: strict),
        .target(name: "HotPaths", dependencies: ["Measuring", typed], swiftSettings: strict),
        .target(name: "LMDB", dependencies: ["CLMDB"], swiftSettings: strict),
        .systemLibrary(name: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"])]),

        program("hello", in: "Hello", []),
        program("load-store", in: "LoadStore", []),
        program("load-typed", in: "LoadTyped", []),
        program("start-store", in: "StartStore", [store]),
        program("start-typed", in: "StartTyped", [typed]),
        program("open-bare", in: "OpenBare", ["Measuring"]),
        program("open-store", in: "OpenStore", ["Measuring", store]),
        program("open-typed", in: "OpenTyped", ["Measuring", typed]),
        program("first-set", in: "FirstSet", ["Measuring", store]),
        program("open-userdefaults", in: "OpenUserDefaults", ["Measuring"]),
        program("open-lmdb", in: "OpenLMDB", ["Measuring", "LMDB"]),
        program("peer-ours", in: "PeerOurs", ["Measuring", typed]),
        program("peer-userdefaults", in: "PeerUserDefaults", ["Measuring"]),

        .target(name: "CWork"),
        program("work-ours", in: "WorkOurs", ["CWork", typed]),
        program("work-userdefaults", in: "WorkUserDefaults", ["CWork"]),

        program("counted", in: "Counted", ["HotPaths"]),
        program("ratios", in: "Ratios", ["Measuring", "HotPaths"]),
        program("scale", in: "Scale", ["Measuring", typed]),
    ],
    swiftLanguageModes: [.v6]
)

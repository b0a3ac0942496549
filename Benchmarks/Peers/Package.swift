// swift-tools-version: 6.1

import PackageDescription

/// Benchmarks beside other packages, which take minutes to build; CI builds them only when it is asked to.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// One suite of benchmarks.
func suite(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: [
            "Beside", .product(name: "Benchmark", package: "benchmark"),
            .product(name: "TypedDefaults", package: "TypedDefaults"),
        ],
        path: "Benchmarks/\(name)", swiftSettings: strict,
        plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
}

let package = Package(
    name: "TypedDefaultsPeers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "TypedDefaults", path: "../.."),
        .package(name: "TypedDefaultsBenchmarks", path: ".."),
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "Beside",
            dependencies: [
                .product(name: "Measuring", package: "TypedDefaultsBenchmarks"),
                .product(name: "LMDB", package: "TypedDefaultsBenchmarks"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "TypedDefaults", package: "TypedDefaults"),
            ],
            swiftSettings: strict),
        suite("Reads"), suite("Writes"),
    ],
    swiftLanguageModes: [.v6]
)

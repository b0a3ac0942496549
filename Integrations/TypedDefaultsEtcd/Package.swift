// swift-tools-version: 6.1

import PackageDescription

/// Default values out of etcd, in a package of its own since the client is large.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "TypedDefaultsEtcd",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [.library(name: "TypedDefaultsEtcd", targets: ["TypedDefaultsEtcd"])],
    dependencies: [
        .package(name: "TypedDefaults", path: "../.."),
        .package(url: "https://github.com/grpc/grpc-swift-2.git", from: "2.4.3"),
        .package(url: "https://github.com/grpc/grpc-swift-nio-transport.git", from: "2.9.2"),
        .package(url: "https://github.com/grpc/grpc-swift-protobuf.git", from: "2.4.1"),
        .package(url: "https://github.com/apple/swift-protobuf.git", from: "1.39.0", traits: []),
    ],
    targets: [
        // Made by Proto/generate; the one target whose files nobody writes.
        .target(
            name: "EtcdMessages",
            dependencies: [.product(name: "SwiftProtobuf", package: "swift-protobuf")],
            swiftSettings: strict),
        .target(
            name: "TypedDefaultsEtcd",
            dependencies: [
                "EtcdMessages",
                .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
                .product(name: "GRPCProtobuf", package: "grpc-swift-protobuf"),
            ],
            swiftSettings: strict),
        // A server for the example and the measurement.
        .target(name: "LocalEtcd", path: "Examples/LocalEtcd", swiftSettings: strict),
        .executableTarget(
            name: "fleet", dependencies: ["TypedDefaultsEtcd", "LocalEtcd"], path: "Examples/Fleet",
            swiftSettings: strict),
        .executableTarget(
            name: "measure", dependencies: ["TypedDefaultsEtcd", "LocalEtcd"], path: "Measure",
            exclude: ["run"], swiftSettings: strict),
        .testTarget(
            name: "TypedDefaultsEtcdTests",
            dependencies: [
                "TypedDefaultsEtcd", "EtcdMessages", "LocalEtcd",
                .product(name: "DefaultValueSourceConformance", package: "TypedDefaults"),
                // A server that does what etcd never would.
                .product(name: "GRPCCore", package: "grpc-swift-2"),
                .product(name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport"),
                .product(name: "GRPCProtobuf", package: "grpc-swift-protobuf"),
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

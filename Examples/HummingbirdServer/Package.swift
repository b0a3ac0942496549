// swift-tools-version: 6.2
// A Hummingbird 2 server. Its address comes through swift-configuration, from the environment or else from its settings
// file; what it answers comes from typed settings, which each request reads anew. Its tests start it, save the file as an
// editor does, and send it requests.
//
//     cd Examples/HummingbirdServer
//     swift test
//     swift run greeting-server               says where its settings file is; HTTP_PORT=9000 before it moves it
//     curl localhost:8080/Ada                 in another terminal, before and after you have saved that file
import PackageDescription

let package = Package(
    name: "HummingbirdServer",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In your package each of these three has an address, as the others have.
        .package(name: "TypedDefaults", path: "../.."),
        .package(path: "../../Integrations/TypedDefaultsConfiguration"),
        .package(path: "../../Integrations/TypedDefaultsService"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.0"),
    ],
    targets: [
        .executableTarget(
            name: "greeting-server",
            dependencies: [
                "TypedDefaultsConfiguration", "TypedDefaultsService",
                .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(name: "GreetingServerTests", dependencies: ["greeting-server"]),
    ],
    swiftLanguageModes: [.v6]
)

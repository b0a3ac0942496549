// swift-tools-version: 6.1
// A program with a settings screen: `player settings`. Its settings are in ~/.config/player.
//
//     cd Examples/Player
//     swift run player settings               the screen
//     swift run player                        what it plays with, now and whenever that changes
//     swift run player louder                 in another terminal, while the screen is shown
import PackageDescription

let package = Package(
    name: "Player",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In your package: .package(url: "https://github.com/OWNER/TypedDefaults", branch: "main")
        .package(name: "TypedDefaults", path: "../.."),
        // And: .package(url: "https://github.com/OWNER/TypedDefaultsTerminal", from: "0.1.0")
        .package(path: "../../Integrations/TypedDefaultsTerminal"),
    ],
    targets: [
        .executableTarget(
            name: "player",
            dependencies: [
                .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "DefaultsTerminal", package: "TypedDefaultsTerminal"),
            ]),
        .testTarget(name: "PlayerTests", dependencies: ["player"]),
    ],
    swiftLanguageModes: [.v6]
)

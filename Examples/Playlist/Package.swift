// swift-tools-version: 6.1
// A package of its own that uses TypedDefaults, as yours would: a library, a program, and tests of code that uses
// defaults. No test touches the settings of whoever runs it, and none sleeps.
//
//     cd Examples/Playlist
//     swift test
//     swift run playlist                      prints the volume whenever it changes
//     swift run playlist louder               in another terminal
import PackageDescription

let package = Package(
    name: "Playlist",
    platforms: [.macOS(.v15)],
    dependencies: [
        // In your package: .package(url: "https://github.com/OWNER/TypedDefaults", branch: "main")
        .package(name: "TypedDefaults", path: "../..")
    ],
    targets: [
        .target(
            name: "Playlists", dependencies: [.product(name: "TypedDefaults", package: "TypedDefaults")]),
        .executableTarget(
            name: "playlist",
            dependencies: ["Playlists", .product(name: "TypedDefaults", package: "TypedDefaults")]),
        .testTarget(
            name: "PlaylistsTests",
            dependencies: ["Playlists", .product(name: "TypedDefaults", package: "TypedDefaults")]),
    ],
    swiftLanguageModes: [.v6]
)

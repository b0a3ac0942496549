// swift-tools-version: 6.1

import PackageDescription

/// Builds the documentation of the modules: `swift package generate-documentation`, as `build` here calls it.
///
/// A package of its own, so that nobody who uses the library gets the plugin.
let package = Package(
    name: "TypedDefaultsDocumentation",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "TypedDefaults", path: ".."),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin.git", exact: "1.5.0"),
    ],
    targets: [
        .target(
            name: "Documented",
            dependencies: [
                .product(name: "TypedDefaults", package: "TypedDefaults"),
                .product(name: "TypedDefaultsCompatibility", package: "TypedDefaults"),
                .product(name: "DefaultsStore", package: "TypedDefaults"),
                .product(name: "TypedDefaultsFoundation", package: "TypedDefaults"),
            ])
    ],
    swiftLanguageModes: [.v6]
)

public import DefaultsStore
public import TypedDefaults

/// Default values in an Apple `Settings.bundle`.
///
/// They are the `DefaultValue` of every preference that has a `Key`, in `Root.plist` and in all panes that it
/// leads to. A missing bundle has none.
///
/// These are failures: a key that occurs twice, a default that its control cannot have, and more than 64 MiB
/// in total. So is a pane that is missing, is a link, is named with a path, or is not a pane.
public struct SettingsBundleDefaultValueSource: PlacedDefaultValueSource {
    /// Identifies the source within a suite: the bundle's path.
    public let name: String
    package var place: String { name }

    /// Creates a source of a bundle, which can be followed.
    ///
    /// - Parameter path: the bundle's folder; nil for `Settings.bundle` in the executable's folder.
    public init(path: String? = nil) {
        name = path ?? ForeignFile.pathBesideExecutable("Settings.bundle")
    }

    /// Returns the default values of all panes as they are now.
    ///
    /// - Throws: `.sourceFailed` for a bundle that cannot be used.
    public func defaultValues() async throws -> [String: DefaultsValue] {
        try await FileChanges.inBackground(at: name) { [name] in
            Result { try SettingsBundlePanes(folder: name).defaultValues() }
        }.get()
    }

    /// Returns the layers of the bundle as its files change.
    public func changes() -> AsyncThrowingStream<[String: DefaultsValue], any Error>? {
        FileChanges.layers(
            watch: { [name] in PathWatch(folder: name, $0) },
            read: { [name] in try SettingsBundlePanes(folder: name).defaultValues() })
    }
}

/// Which suites there are.
extension DefaultsSuite {
    /// The folder that holds the suites' folders where none is named.
    ///
    /// `$XDG_CONFIG_HOME` where it is absolute, else `~/.config`, on Apple's systems `~/Library/Application Support`.
    ///
    /// - Throws: `.io` where the user has no home.
    public static func defaultDirectory() throws(DefaultsError) -> String { try SuiteName.defaultParent() }

    /// The names of the suites in a folder, sorted by their bytes; none where the folder is missing.
    ///
    /// ```swift
    /// for name in try DefaultsSuite.names() { print(name) }
    /// ```
    ///
    /// A suite is a folder that this library has opened before, which its lock file or journal tells: other programs
    /// too keep a `settings.json` in a folder of their own. None is opened by asking.
    ///
    /// - Parameter directory: the folder that holds the suites' folders; nil for ``defaultDirectory()``.
    /// - Throws: `.io` where the folder cannot be listed; a listing is whole, never a part.
    public static func names(in directory: String? = nil) throws(DefaultsError) -> [String] {
        let parent = if let directory { directory } else { try defaultDirectory() }
        let folders: [String]
        do { folders = try SystemCalls.names(inFolder: parent) } catch {
            if error.isMissing { return [] }
            throw .reading(parent, error)
        }
        return folders.filter { isSuite($0, in: parent) }.compactMap(SuiteName.name(ofFolder:))
            .sorted { KeyName($0) < KeyName($1) }
    }

    private static func isSuite(_ folder: String, in parent: String) -> Bool {
        let location = SuiteLocation(folder: parent + "/" + folder, allowsInsecureDirectory: true)
        return [location.lock, location.journal].contains { name in
            // A folder that may not be looked into is no suite of this user's.
            do { return try SystemCalls.status(path: location.path(of: name)).isRegular } catch {
                return false
            }
        }
    }
}

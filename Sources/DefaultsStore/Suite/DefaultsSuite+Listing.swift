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
    /// - Throws: `.io` where the folder cannot be listed, `.invalidSuiteName` where its path is empty or holds a NUL; a
    ///   listing is whole, never a part.
    public static func names(in directory: String? = nil) throws(DefaultsError) -> [String] {
        let parent = try SuiteName.parent(directory)
        let folders: [String]
        do { folders = try SystemCalls.names(inFolder: parent) } catch {
            if error.isMissing { return [] }
            throw .reading(parent, error)
        }
        var names: [String] = []
        for folder in folders {
            // First, since no suite's name leads to other folders, whatever is wrong with them.
            guard let name = SuiteName.name(ofFolder: folder), try isSuite(folder, in: parent) else {
                continue
            }
            names.append(name)
        }
        return names.sorted { KeyName($0) < KeyName($1) }
    }

    private static func isSuite(_ folder: String, in parent: String) throws(DefaultsError) -> Bool {
        let location = SuiteLocation(folder: parent + "/" + folder, allowsInsecureDirectory: true)
        for name in [location.lock, location.journal] {
            do {
                if try SystemCalls.status(path: location.path(of: name)).isRegular { return true }
            } catch {
                // A folder that may not be looked into is no suite of this user's, and a file is none.
                let isNone = error.isMissing || error.isForbidden || error.isUnsafePlace
                guard isNone else { throw .reading(location.path(of: name), error) }
                // Unless it is the folder around it, in which all suites are.
                if error.isForbidden {
                    _ = try DefaultsError.reading(parent) { () throws(SystemError) in
                        try SystemCalls.status(path: location.folder)
                    }
                }
            }
        }
        return false
    }
}

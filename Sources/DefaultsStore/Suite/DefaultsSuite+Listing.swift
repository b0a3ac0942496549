/// Which suites there are.
extension DefaultsSuite {
    /// Returns the folder that contains the suites' folders if none is named.
    ///
    /// `$XDG_CONFIG_HOME` if it is absolute, otherwise `~/.config`; on Apple's systems `~/Library/Application
    /// Support`.
    ///
    /// - Throws: `.io` if the user has no home.
    public static func defaultDirectory() throws(DefaultsError) -> String { try SuiteName.defaultParent() }

    /// Returns the names of the suites in a folder, sorted by their bytes; none if the folder is missing.
    ///
    /// ```swift
    /// for name in try DefaultsSuite.names() { print(name) }
    /// ```
    ///
    /// A suite is a folder that this library has opened before, which its lock file or journal shows: other programs
    /// keep a `settings.json` in a folder of their own, too. Listing opens none of them.
    ///
    /// - Parameter directory: the folder that contains the suites' folders; nil for ``defaultDirectory()``.
    /// - Throws: `.io` if the folder cannot be listed, `.insecureDirectory` if it is no folder,
    ///   `.invalidSuiteName` if its path is empty, contains a NUL or begins with `~name/`; a listing is never partial.
    public static func names(in directory: String? = nil) throws(DefaultsError) -> [String] {
        let parent = try SuiteName.parent(directory)
        let folders: [String]
        do { folders = try SystemCalls.names(inFolder: parent) } catch {
            if error.isMissing { return [] }
            throw .reading(parent, error)
        }
        var names: [String] = []
        for folder in folders {
            // Checked first, because no suite's name leads to other folders, whatever is wrong with them.
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
                // A folder that may not be read is not a suite of this user's, and neither is a file.
                let isNone = error.isMissing || error.isForbidden || error.isUnsafePlace
                guard isNone else { throw .reading(location.path(of: name), error) }
                // Unless it is the surrounding folder that may not be read.
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

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
    /// A suite is a folder that this library has opened before, which its lock file or journal shows, beside the file
    /// that `settings.json` leads to if it is a link: other programs keep a `settings.json` in a folder of their own,
    /// too. Listing opens none of them.
    ///
    /// - Parameters:
    ///   - directory: the folder that contains the suites' folders; nil for ``defaultDirectory()``.
    ///   - skipped: told of each folder that may not be entered, and may so hide a suite.
    /// - Throws: `.io` if the folder cannot be listed, `.insecureDirectory` if it is no folder,
    ///   `.invalidSuiteName` if its path is empty, contains a NUL or begins with `~name/`; a listing is never partial.
    public static func names(
        in directory: String? = nil, skipped: (DefaultsError) -> Void = { _ in }
    ) throws(DefaultsError) -> [String] {
        let parent = try SuiteName.parent(directory)
        let folders: [String]
        do { folders = try SystemCalls.names(inFolder: parent) } catch {
            if error.isMissing { return [] }
            throw .reading(parent, error)
        }
        var names: [String] = []
        for folder in folders {
            // Checked first, because no suite's name leads to other folders, whatever is wrong with them.
            guard let name = SuiteName.name(ofFolder: folder) else { continue }
            let location = SuiteLocation(folder: parent + "/" + folder, allowsInsecureDirectory: true)
            do throws(DefaultsError) {
                if try isSuite(location) { names.append(name) }
            } catch {
                guard let refusal = error.systemError, refusal.isForbidden else { throw error }
                // Unless it is the surrounding folder that may not be looked into.
                _ = try DefaultsError.reading(parent) { () throws(SystemError) in
                    try SystemCalls.status(path: location.folder)
                }
                skipped(.reading(location.folder, refusal))
            }
        }
        return names.sorted { KeyName($0) < KeyName($1) }
    }

    private static func isSuite(_ own: SuiteLocation) throws(DefaultsError) -> Bool {
        var location = own
        // As many links as are followed when a suite is opened.
        for _ in 0...8 {
            for path in [location.lockPath, location.journalPath] {
                if try status(path)?.isRegular == true { return true }
            }
            guard try status(location.path)?.isSymbolicLink == true,
                let target = try target(of: location)
            else { return false }
            location = target
        }
        return false
    }

    /// Where the settings file leads that is a link; nil for a path that no suite can have.
    private static func target(of location: SuiteLocation) throws(DefaultsError) -> SuiteLocation? {
        let path: String
        do { path = try SystemCalls.linkTarget(location.path) } catch {
            guard error.isMissing || error.isNoText else { throw .reading(location.path, error) }
            return nil
        }
        return SuiteLocation(
            path: SystemCalls.isAbsolute(path) ? path : location.folder + "/" + path,
            allowsInsecureDirectory: true)
    }

    /// The status of what has a name; nil for nothing, and where the path leads through what is no folder.
    private static func status(_ path: String) throws(DefaultsError) -> FileStatus? {
        do { return try SystemCalls.status(path: path) } catch {
            guard error.isMissing || error.isUnsafePlace else { throw .reading(path, error) }
            return nil
        }
    }
}

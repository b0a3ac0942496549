import DefaultsStore

/// The files of the types that name no suite: each is one type's alone.
struct WholeSettingsFiles {
    private var suites: [ObjectIdentifier: DefaultsSuite] = [:]
    /// Who has a file, by its path.
    private var owners: [String: String] = [:]

    /// The suite that a type has, if it has asked for one before.
    func suite(of type: Any.Type) -> DefaultsSuite? { suites[ObjectIdentifier(type)] }

    /// Gives a type the suite that was made for it, unless another one's is in that file.
    ///
    /// - Parameter standard: the path of the standard suite's file, which is no type's.
    /// - Throws: `.conflictingTypes`.
    mutating func take(
        _ suite: DefaultsSuite, for type: Any.Type, beside standard: String?
    ) throws(DefaultsError) -> DefaultsSuite {
        // Another thread may have been first.
        if let known = self.suite(of: type) { return known }
        if let path = suite.path {
            let place = WholeSettingsFiles.folded(path)
            let isStandard = standard.map(WholeSettingsFiles.folded) == place
            if let owner = isStandard ? "the standard suite" : owners[place] {
                throw DefaultsError(
                    .conflictingTypes, suite: suite.name, path: path,
                    underlyingDescription: "\(String(reflecting: type)) would be kept where \(owner) is")
            }
            owners[place] = String(reflecting: type)
        }
        suites[ObjectIdentifier(type)] = suite
        return suite
    }

    /// A path such that two which lead to one file are equal: Apple's file systems take Settings.json for
    /// settings.json.
    private static func folded(_ path: String) -> String {
        #if canImport(Darwin)
            path.lowercased()
        #else
            path
        #endif
    }
}

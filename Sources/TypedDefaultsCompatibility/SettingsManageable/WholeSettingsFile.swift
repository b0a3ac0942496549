import DefaultsStore
import TypedDefaults
import TypedDefaultsPropertyLists

/// A file that comes with a program and holds the initial values of a type's properties.
struct WholeSettingsFile {
    let path: String
    let members: WholeMembers

    /// Reads a JSON file, or a property list where the name ends in `.plist`.
    ///
    /// - Throws: `.sourceFailed`.
    init(path: String) throws(DefaultsError) {
        self.path = path
        let bytes = try ForeignFile(path).read()
        guard path.hasSuffix(".plist") else {
            // The name of a schema for this file's editor, and the completed steps of another file, are no
            // properties.
            members = try SettingsDocument.members(of: bytes, at: path).filter(\.key.isSetting)
            return
        }
        let layer: [String: DefaultsValue]
        do { layer = try PropertyListValue.read(bytes).layer() } catch { throw error.at(path) }
        var members: WholeMembers = []
        for (name, value) in layer.sorted(by: { $0.key < $1.key }) {
            do throws(DefaultsError) {
                members.append((try KeyName.validated(name), StoredValue(value)))
            } catch {
                throw DefaultsError(
                    .sourceFailed, path: path,
                    underlyingDescription: "a key cannot be used: \(error.underlyingDescription ?? "")")
            }
        }
        self.members = members
    }

    /// Reads the JSON file of a name in the executable's folder, otherwise the property list.
    ///
    /// - Throws: `.sourceFailed`, for the JSON file where there is neither.
    init(besideExecutable name: String) throws(DefaultsError) {
        do {
            self = try WholeSettingsFile(path: ForeignFile.pathBesideExecutable(name + ".json"))
        } catch let missing where missing.systemError?.isMissing == true {
            do {
                self = try WholeSettingsFile(path: ForeignFile.pathBesideExecutable(name + ".plist"))
            } catch let error {
                throw error.systemError?.isMissing == true ? missing : error
            }
        }
    }
}

/// The files of the types that name no suite; each belongs to one type.
struct WholeSettingsFiles {
    private var suites: [ObjectIdentifier: DefaultsSuite] = [:]
    /// The type of a file, by its path.
    private var owners: [String: String] = [:]

    /// The suite of a type, once it has been requested.
    func suite(of type: Any.Type) -> DefaultsSuite? { suites[ObjectIdentifier(type)] }

    /// Gives a type the suite that was created for it, unless another type has that file.
    ///
    /// - Parameter standard: the path of the standard suite's file, which belongs to no type.
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

    /// A canonical path: Apple's file systems do not distinguish Settings.json from settings.json.
    private static func folded(_ path: String) -> String {
        #if canImport(Darwin)
            path.lowercased()
        #else
            path
        #endif
    }
}

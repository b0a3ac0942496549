import DefaultsStore

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
            // What names a schema for the editor of this very file, or steps that another has been through, is no
            // property.
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

    /// Reads the JSON file of a name beside the executable, or the property list where there is none.
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

/// The schema of a suite's values, for editors: a file, and the member of the settings file that names it.
extension SuiteCore {
    /// Writes a schema's text beside the settings file, or to a path, unless it is there already.
    ///
    /// - Returns: the file's path.
    package func writeSchema(_ text: [UInt8], to path: String?) throws(DefaultsError) -> String {
        do {
            let place = try schemaPlace(path)
            if let unlike = try SchemaFile.write(text, at: place) { report(unlike) }
            return place.path
        } catch {
            throw error.inSuite(name)
        }
    }

    private func schemaPlace(_ path: String?) throws(DefaultsError) -> SuiteLocation {
        let isInsecureAllowed = location?.allowsInsecureDirectory ?? false
        guard let path = path ?? location.map({ $0.path(of: $0.schema) }) else {
            throw DefaultsError(
                .io, underlyingDescription: "a suite in memory has no file to put a schema beside")
        }
        let whole = try GivenPath.absolute(path)
        guard !path.utf8.contains(0),
            let place = SuiteLocation(path: whole, allowsInsecureDirectory: isInsecureAllowed)
        else {
            throw DefaultsError(.io, path: path, underlyingDescription: "the path names no file")
        }
        guard place.path != location?.path else {
            throw DefaultsError(.io, path: path, underlyingDescription: "the settings are in this file")
        }
        return place
    }

    /// Names a schema's file in the settings file, if that names none yet; in memory there is nothing to do.
    package func nameSchema(at path: String) throws(DefaultsError) {
        guard let location, try isSchemaNamed() == false else { return }
        let reference = SchemaReference.text(to: path, from: location.folder)
        do {
            try withTransaction { transaction in
                // Another process, or a user, may have been first.
                guard try isSchemaNamed() == false else { return }
                transaction.store.stage(StoredValue(.string(reference)), forKey: .schema, in: transaction)
            }
        } catch let error as DefaultsError {
            throw error
        } catch {
            throw DefaultsError(.io, suite: name, underlyingDescription: "\(error)")
        }
    }

    private func isSchemaNamed() throws(DefaultsError) -> Bool {
        let view = try view()
        // A broken file is left to the user, who may be about to fix it.
        if let fault = view.snapshot.fault { throw fault.inSuite(name) }
        return try view.stored(.schema) != nil
    }
}

extension DefaultsSuite {
    /// The member of the file that names a JSON Schema for editors: `$schema`.
    ///
    /// It is stored like any other member, but is not a setting: ``removeAll()`` leaves it, and neither
    /// ``dictionaryRepresentation()`` nor an observer of all keys includes it.
    public static let schemaKey = KeyName.schema.string

    /// Returns what the file has besides the name of its schema and the completed steps of a migration.
    package func storedSettings() throws(DefaultsError) -> [String: DefaultsValue] {
        try storedValues().filter { KeyName($0.key).isSetting }
    }
}

import DefaultsStore

/// A fault in a text from outside as the failure of a source: `.sourceFailed` with line and column.
extension JSONFault {
    /// The fault at a path or an address.
    func at(_ place: String) -> DefaultsError {
        DefaultsError(
            .sourceFailed, path: place, line: line, column: column, underlyingDescription: reason)
    }
}

extension SettingsDocument {
    /// The members of a text from outside that is one JSON object with comments, in its order.
    ///
    /// - Throws: `.sourceFailed` with the location, also for an invalid name.
    package static func members(
        of text: [UInt8], at place: String
    ) throws(DefaultsError) -> [(key: KeyName, value: StoredValue)] {
        let (document, fault) = read(text, levels: JSONScanner.deepest)
        if let fault { throw fault.at(place) }
        var members: [(key: KeyName, value: StoredValue)] = []
        for key in document.keys {
            do { _ = try KeyName.validated(key.string) } catch {
                let at = document.place(ofKey: key)
                throw DefaultsError(
                    .sourceFailed, path: place, line: at?.line, column: at?.column,
                    underlyingDescription: "a key cannot be used: \(error.underlyingDescription ?? "")")
            }
            if let value = document.value(forKey: key) { members.append((key, value)) }
        }
        return members
    }
}

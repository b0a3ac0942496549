/// A person's edit of the whole settings file.
extension DefaultsSuite {
    /// Puts a text in the settings file's place, as a person has edited it: with its comments, order and layout.
    ///
    /// For editors: the writer's lock is held meanwhile, and nothing that others have written is lost. No rule and no
    /// administrator's lock is asked, as with any edit of the file.
    ///
    /// ```swift
    /// let project = try DefaultsSuite(file: "project.json")
    /// if try project.replaceFile(with: Array(#"{"name": "demo"} // mine"#.utf8), editedFrom: nil) == nil {
    ///     print("somebody was faster")
    /// }
    /// ```
    ///
    /// - Guarantee: on return the file has the text, durable; the old one is kept beside it if it could not be read.
    /// - Parameters:
    ///   - text: one JSON object, which may have comments.
    ///   - original: the bytes that were edited; nil if there was no file.
    /// - Returns: nil, with nothing done, if the file has other bytes now, or others have stored what is not in it yet;
    ///   and in memory, where there is no file.
    /// - Throws: `.malformedText` with the place if the text is no settings file, `.valueTooLarge`, and what
    ///   ``checkpoint()`` throws; the old file is still there then.
    public func replaceFile(
        with text: [UInt8], editedFrom original: [UInt8]?
    ) throws(DefaultsError) -> DefaultsReplacement? {
        do throws(DefaultsError) {
            guard text.count <= SettingsFile.limit else { throw DefaultsError(.valueTooLarge, path: path) }
            let (document, fault) = SettingsDocument.read(text)
            if let fault {
                throw DefaultsError(
                    .malformedText, line: fault.line, column: fault.column,
                    underlyingDescription: fault.reason)
            }
            return try core.store().replaceFile(
                with: document, editedFrom: original, until: .after(milliseconds: WriterLock.limit))
        } catch {
            throw error.inSuite(name)
        }
    }
}

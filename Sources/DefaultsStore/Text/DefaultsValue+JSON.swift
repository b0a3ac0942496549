/// Values from JSON text.
extension DefaultsValue {
    /// Reads a text that is one JSON value, with what a settings file may have besides: comments, trailing commas.
    ///
    /// ```swift
    /// let value = try DefaultsValue(json: #"{"width": 800}"#)
    /// print(value["width"]?.int ?? 0)
    /// ```
    ///
    /// Every digit of a number is kept, and of two equal names both members, of which the last counts. The text of a
    /// value is its ``description``.
    ///
    /// - Throws: `.malformedText` with the line and column, also if it is nested more deeply than a settings file may
    ///   be.
    public init(json text: String) throws(DefaultsError) {
        // A file's values may have all levels, so the object around them must not take one.
        var scanner = JSONScanner(Array(text.utf8)[...], levels: JSONScanner.deepest + 1)
        do {
            try scanner.skipStart()
            let value = try scanner.value()
            try scanner.skipEnd()
            self = value
        } catch {
            throw DefaultsError(
                .malformedText, line: error.line, column: error.column, underlyingDescription: error.reason)
        }
    }
}

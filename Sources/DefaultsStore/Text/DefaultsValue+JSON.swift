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
        do {
            // A file's values may have all levels, so the object around them must not take one.
            try self.init(reading: Array(text.utf8), levels: JSONScanner.deepest + 1)
        } catch {
            throw DefaultsError(
                .malformedText, line: error.line, column: error.column, underlyingDescription: error.reason)
        }
    }

    /// Reads a text that is one JSON value.
    ///
    /// - Parameter levels: how deeply it may be nested; what is inside too many levels is kept as its text.
    package init(reading text: [UInt8], levels: Int = .max) throws(JSONFault) {
        var scanner = JSONScanner(text[...], levels: levels)
        try scanner.skipStart()
        let value = try scanner.value()
        try scanner.skipEnd()
        self = value
    }
}

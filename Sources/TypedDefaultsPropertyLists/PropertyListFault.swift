package import DefaultsStore

/// The place where bytes stop being a property list, and why.
package struct PropertyListFault: Error, Hashable, Sendable {
    /// Counted from 1; nil in a binary one.
    package let line: Int?
    /// Counted from 1, in Unicode scalars.
    package let column: Int?
    /// A sentence fragment without a value.
    package let reason: String

    /// A fault at an offset of a binary property list.
    init(_ reason: String, atOffset offset: Int) {
        line = nil
        column = nil
        self.reason = "\(reason) (at byte \(offset))"
    }

    /// A fault of a text.
    init(_ reason: String, at index: Int, in bytes: [UInt8]) {
        let place = TextPlace(of: index, in: bytes[...])
        line = place.line
        column = place.column
        self.reason = reason
    }

    /// A fault of the whole list.
    package init(_ reason: String) {
        line = nil
        column = nil
        self.reason = reason
    }

    /// The fault at a path, as the failure of a source.
    package func at(_ path: String) -> DefaultsError {
        DefaultsError(
            .sourceFailed, path: path, line: line, column: column, underlyingDescription: reason)
    }

    static let tooDeep =
        "arrays and dictionaries are nested more than \(PropertyListValue.deepest) levels deep"
    static let tooMany = "it unfolds to more than \(PropertyListValue.most) values"
}

/// The place where a text stops being JSON, and why.
package struct JSONFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bytes before the place.
    package let offset: Int
    /// Counted from 1.
    package let line: Int
    /// Counted from 1, in Unicode scalars.
    package let column: Int
    /// A sentence fragment that never holds a stored value: `"expected a comma or }"`.
    package let reason: String

    init(_ reason: String, at index: Int, in bytes: ArraySlice<UInt8>) {
        let place = TextPlace(of: index, in: bytes)
        offset = index - bytes.startIndex
        line = place.line
        column = place.column
        self.reason = reason
    }

    /// Whether the text is JSON but nested deeper than allowed.
    package var isTooDeep: Bool { reason == Self.tooDeep }

    static let tooDeep = "arrays and objects are nested more than \(JSONScanner.deepest) levels deep"

    package var description: String { "\(line):\(column): \(reason)" }
}

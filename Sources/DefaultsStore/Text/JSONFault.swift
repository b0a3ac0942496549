/// Where a text stops being JSON, and why.
///
/// The line and the column are computed on request: a reader that goes on after a fault, and finds thousands, would
/// read the text from its start for each.
package struct JSONFault: Error, Sendable, CustomStringConvertible {
    /// The number of bytes before the place.
    package let offset: Int
    /// A sentence fragment that never contains a stored value: `"expected a comma or }"`.
    package let reason: String
    private let text: ArraySlice<UInt8>

    init(_ reason: String, at index: Int, in bytes: ArraySlice<UInt8>) {
        offset = index - bytes.startIndex
        self.reason = reason
        text = bytes
    }

    private var place: TextPlace { TextPlace(of: text.startIndex + offset, in: text) }

    /// Counted from 1; found by reading up to it.
    package var line: Int { place.line }
    /// Counted from 1, in Unicode scalars; found by reading up to it.
    package var column: Int { place.column }

    /// Whether the text is JSON but nested more deeply than allowed.
    package var isTooDeep: Bool { reason == Self.tooDeep }

    static let tooDeep = "arrays and objects are nested more than \(JSONScanner.deepest) levels deep"

    package var description: String {
        let place = place
        return "\(place.line):\(place.column): \(reason)"
    }
}

/// Equality of what is reported about a text, which may be another one.
extension JSONFault: Hashable {
    package static func == (left: JSONFault, right: JSONFault) -> Bool {
        guard left.offset == right.offset, left.reason == right.reason else { return false }
        let (one, other) = (left.place, right.place)
        return (one.line, one.column) == (other.line, other.column)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(offset)
        hasher.combine(reason)
    }
}

/// Dumped without the text, whose values may be secret.
extension JSONFault: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: ["offset": offset, "reason": reason]) }
}

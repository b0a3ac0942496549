/// Removes the value from errors into which the standard library or Foundation puts one.
///
/// Errors are printed and logged, and a value may be a secret. Raw values, ranges, `Float16` and the identifiers of
/// calendars are the cases; they are recognised by their wording, since the error holds nothing else.
extension DecodingError {
    var withoutValue: DecodingError {
        guard case .dataCorrupted(let context) = self,
            let reason = Self.withoutValue(context.debugDescription)
        else {
            return self
        }
        return .dataCorrupted(Context(codingPath: context.codingPath, debugDescription: reason))
    }

    private static func withoutValue(_ reason: String) -> String? {
        if reason.hasPrefix("Cannot initialize ") {
            // The earlier of the two: the value follows it, may contain the other, and may have megabytes.
            return reason.upTo([" value ", " with a lowerBound ("])
        }
        let calendar = "Invalid calendar identifier"
        if reason.hasPrefix(calendar) { return calendar }
        guard reason.hasPrefix("Parsed JSON number "), let type = reason.after(" does not fit in ") else {
            return nil
        }
        return "Parsed JSON number does not fit in \(type)"
    }
}

extension String {
    /// What stands before the first of some marks.
    fileprivate func upTo(_ marks: [String]) -> String? {
        utf8.indices.first { place in marks.contains { utf8[place...].starts(with: $0.utf8) } }
            .map { String(self[..<$0]) }
    }

    /// What stands behind the last mark; it is looked for from the end.
    fileprivate func after(_ mark: String) -> String? {
        utf8.indices.reversed().first { utf8[$0...].starts(with: mark.utf8) }
            .map { String(self[utf8.index($0, offsetBy: mark.utf8.count)...]) }
    }
}

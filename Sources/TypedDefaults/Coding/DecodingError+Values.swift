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
            // The earlier of the two: the value follows it, and may contain the other.
            return [" value ", " with a lowerBound ("].compactMap { reason.upTo($0) }
                .min { $0.utf8.count < $1.utf8.count }
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
    fileprivate func upTo(_ mark: String) -> String? {
        range(ofFirst: mark).map { String(self[..<$0.lowerBound]) }
    }
    fileprivate func after(_ mark: String) -> String? {
        range(ofFirst: mark).map { String(self[$0.upperBound...]) }
    }

    private func range(ofFirst mark: String) -> Range<Index>? {
        indices.lazy.filter { self[$0...].hasPrefix(mark) }.first.map { $0..<index($0, offsetBy: mark.count) }
    }
}

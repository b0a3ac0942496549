import DefaultsStore

/// The text of a list of allowed values in an error.
enum AllowedValues {
    /// The most values that are named.
    private static let most = 20

    /// Returns a value as one would write it on a command line: a string without quotes, any other as JSON.
    static func text(_ value: DefaultsValue) -> String { value.string ?? value.description }

    /// Returns the words for some values: `calm, merry`.
    static func text(_ values: [String]) -> String {
        let rest = values.count - most
        return values.prefix(most).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

/// Finds texts that are equal in Swift and have different hashes in Foundation.
///
/// They have the same characters, such as é, in different scalars.
struct EqualTexts {
    private var known: Set<String> = []

    /// Adds a text.
    ///
    /// - Returns: whether it has the scalars of an equal text before it.
    mutating func take(_ text: String) -> Bool {
        known.update(with: text)?.utf8.elementsEqual(text.utf8) ?? true
    }
}

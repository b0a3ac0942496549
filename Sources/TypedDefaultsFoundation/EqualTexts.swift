/// Looks for texts that are equal in Swift and have different hashes in Foundation: the same characters, such as é,
/// in different scalars.
struct EqualTexts {
    private var known: Set<String> = []

    /// Takes a text in.
    ///
    /// - Returns: whether it is written as the one before that equals it.
    mutating func take(_ text: String) -> Bool {
        known.update(with: text)?.utf8.elementsEqual(text.utf8) ?? true
    }
}

/// What one commit, edit or source did to the keys of one observer: the texts before and after.
package struct ChangeNotice: Hashable, Sendable {
    /// One key's part of it.
    ///
    /// Nil is a key that no domain but its own default supplies.
    package struct Entry: Hashable, Sendable {
        package let key: KeyName
        package let old: StoredValue?
        package let new: StoredValue?
    }

    package let entries: [Entry]
    package let isInitial: Bool
    package let cause: DefaultsChange.Cause
}

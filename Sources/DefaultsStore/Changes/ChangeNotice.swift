/// What one commit, edit or source changed for one observer: the texts before and after.
package struct ChangeNotice: Hashable, Sendable {
    /// The change of one key.
    ///
    /// A nil text means that only the key's own default answers.
    package struct Entry: Hashable, Sendable {
        package let key: KeyName
        package let old: StoredValue?
        package let new: StoredValue?
    }

    package let entries: [Entry]
    package let isInitial: Bool
    package let cause: DefaultsChange.Cause
}

/// All values at once.
extension SuiteCore.View {
    /// Returns what is stored, including the caller's own staged changes.
    func storedValues() throws(DefaultsError) -> [String: DefaultsValue] {
        var values: [String: DefaultsValue] = [:]
        for key in keysStored { values[key.string] = try stored(key)?.value }
        return values
    }

    /// The names that may have a stored value.
    var keysStored: [KeyName] {
        transaction?.noteReadingAll()
        return snapshot.values.keys + (transaction?.changes.order ?? [])
    }
}

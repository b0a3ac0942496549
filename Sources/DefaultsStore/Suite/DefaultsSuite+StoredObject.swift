/// What is stored, in the order of the file.
extension DefaultsSuite {
    /// Returns what is stored, and nothing else, in the order of the file; what the file does not have yet comes
    /// last.
    ///
    /// Unlike ``storedValues()`` it distinguishes two names that differ only in their Unicode form.
    ///
    /// - Throws: `.malformedFile`, `.io`, `.insecureDirectory`: an empty result means an empty suite. `.readOnly` if
    ///   there is no suite and none can be created.
    /// - Cost: reads every value from its text.
    public func storedObject() throws(DefaultsError) -> DefaultsObject {
        let view = try core.view()
        if let fault = view.snapshot.fault { throw fault.inSuite(name) }
        var seen: Set<KeyName> = []
        var members: [(name: KeyName, value: DefaultsValue)] = []
        for key in view.keysStored where seen.insert(key).inserted {
            if let value = try view.stored(key)?.value { members.append((key, value)) }
        }
        return DefaultsObject(members)
    }
}

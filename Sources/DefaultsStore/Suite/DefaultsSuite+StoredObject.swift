/// What is stored, in the order of the file.
extension DefaultsSuite {
    /// What the file holds, nothing else, in its order; what it does not have yet comes last.
    ///
    /// Unlike ``storedValues()`` it tells two names apart that differ only in their Unicode form.
    ///
    /// - Throws: `.malformedFile`, `.io`, `.insecureDirectory`: an empty answer means an empty suite.
    /// - Cost: reads every value from its text.
    public func storedObject() throws(DefaultsError) -> DefaultsObject {
        let view = try core.view()
        if let damage = view.snapshot.damage { throw damage.error.inSuite(name) }
        var seen: Set<KeyName> = []
        var members: [DefaultsObject.Element] = []
        for key in view.keysStored where seen.insert(key).inserted {
            if let value = try view.stored(key)?.value { members.append((key.string, value)) }
        }
        return DefaultsObject(members)
    }
}

/// Rules across keys.
extension DefaultsSuite {
    /// Adds a rule that the effective values have to keep, replacing an earlier one of the same name.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// suite.addRule("min <= max") { values in
    ///     (values.value(forKey: "min")?.int ?? 0) <= (values.value(forKey: "max")?.int ?? 100)
    /// }
    /// ```
    ///
    /// With typed keys: `suite.addRule("min <= max") { $0[.min] <= $0[.max] }`.
    ///
    /// Every transaction and every single write of this process, and of each process that adds the rule, is checked
    /// before its commit: one that would break the rule throws `.invalidValue` with the rule's name, and nothing is
    /// written. If the current values break it already, for example after an edit of the file, that is reported once
    /// and listed in ``problems()``, and only a write that changes what the rule reads is refused.
    ///
    /// The rule runs under the writer's lock, like a transaction's body, and on a background thread when values
    /// change. So it has to be short, take all it needs from its argument, and must not write anything.
    ///
    /// - Parameters:
    ///   - name: the rule in words, for the errors; no values.
    ///   - isKept: whether the state that would be committed keeps the rule.
    public func addRule(_ name: String, _ isKept: @escaping @Sendable (DefaultsSnapshot) -> Bool) {
        core.addRule(DefaultsRule(name: name, isKept: isKept))
    }
}

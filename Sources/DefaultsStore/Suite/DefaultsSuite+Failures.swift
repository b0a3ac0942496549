/// Failures that cannot be thrown, and the keys that are declared.
extension DefaultsSuite {
    /// The failures from now on.
    ///
    /// Each caller gets a stream of its own, which keeps the newest 256 that have not been taken yet, and ends with
    /// its consumer. While there is a stream, nothing is printed on standard error, and the suite stays open.
    ///
    /// ```swift
    /// let listening = Task { for await error in DefaultsSuite.standard.failures { print(error) } }
    /// ```
    public var failures: AsyncStream<DefaultsError> {
        defer { core.watchForFailures() }
        return core.failures.stream(keeping: core)
    }

    /// A function that is called with each failure, on the thread where it occurs.
    ///
    /// Nil by default: each distinct failure is then one line on standard error, unless a stream of ``failures`` is
    /// being read.
    public var onFailure: (@Sendable (DefaultsError) -> Void)? {
        get { core.failures.handler }
        set {
            core.failures.handler = newValue
            core.watchForFailures()
        }
    }

    /// The keys declared for this suite so far, by name.
    ///
    /// A `static let` is only declared when it is first used; `Defaults.declare(_:)` declares a list of keys.
    public var declaredKeys: [DefaultsKeyDescription] {
        core.catalogue.all.map { declaration in
            DefaultsKeyDescription(
                name: declaration.name.string, typeName: "\(declaration.type)",
                defaultValue: declaration.isSecret ? nil : defaultValue(declaration),
                description: declaration.description, isSecret: declaration.isSecret)
        }
    }

    /// Whether a key of this name has been declared with `secret: true`, for this suite or for another and looked up here.
    ///
    /// It stays so whatever is declared later.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.standard
    /// print(suite.isSecret(key: "token") ? "(secret)" : suite.string(forKey: "token") ?? "")
    /// ```
    public func isSecret(key: String) -> Bool { core.isSecret(KeyName(key)) }

    private func defaultValue(_ declaration: KeyDeclaration) -> DefaultsValue? {
        do { return try declaration.defaultText()?.value } catch {
            core.reportStanding(error)
            return nil
        }
    }
}

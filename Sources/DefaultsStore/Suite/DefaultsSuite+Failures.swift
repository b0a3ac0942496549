/// What goes wrong where nothing can be thrown, and the keys that are declared.
extension DefaultsSuite {
    /// The failures from now on.
    ///
    /// Each caller gets a stream of its own, which keeps the newest 256 not yet taken, and ends with whoever takes them. While
    /// there is one, nothing is printed on standard error.
    ///
    /// ```swift
    /// let listening = Task { for await error in DefaultsSuite.standard.failures { print(error) } }
    /// ```
    public var failures: AsyncStream<DefaultsError> {
        defer { core.watchForFailures() }
        return core.failures.stream()
    }

    /// A function that hears the failures, called on the thread they happen on.
    ///
    /// Nil, as at first: each distinct failure is one line on standard error, unless a stream of ``failures`` listens.
    public var onFailure: (@Sendable (DefaultsError) -> Void)? {
        get { core.failures.handler }
        set {
            core.failures.handler = newValue
            core.watchForFailures()
        }
    }

    /// The keys declared for this suite so far, by name.
    ///
    /// A `static let` is only declared when it is first used; `Defaults.declare(_:)` does so for a list of keys.
    public var declaredKeys: [DefaultsKeyDescription] {
        core.catalogue.all.map { declaration in
            DefaultsKeyDescription(
                name: declaration.name.string, typeName: "\(declaration.type)",
                defaultValue: declaration.isSecret ? nil : defaultValue(declaration),
                description: declaration.description, isSecret: declaration.isSecret)
        }
    }

    private func defaultValue(_ declaration: KeyDeclaration) -> DefaultsValue? {
        do { return try declaration.defaultText()?.value } catch {
            core.reportStanding(error)
            return nil
        }
    }
}

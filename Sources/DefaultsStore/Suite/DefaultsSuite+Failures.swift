/// What goes wrong where nothing can be thrown, and what is wrong with the stored values.
extension DefaultsSuite {
    /// The failures from now on.
    ///
    /// Each caller gets a stream of its own, which keeps the newest 256 not yet taken.
    public var failures: AsyncStream<DefaultsError> { core.failures.stream() }

    /// A function that hears the failures, called on the thread they happen on.
    ///
    /// Nil, as at first: each distinct failure is one line on standard error, unless a stream of ``failures`` listens.
    public var onFailure: (@Sendable (DefaultsError) -> Void)? {
        get { core.failures.handler }
        set { core.failures.handler = newValue }
    }

    /// Which domain supplies the effective value of a key; nil where there is none.
    public func origin(ofKey key: String) -> DefaultsOrigin? {
        let view = core.viewReporting()
        do {
            let isStored = try view.stored(KeyName(key)) != nil
            if let origin = view.domains.origin(KeyName(key), isStored: isStored) { return origin }
            return try core.defaultText(KeyName(key)) == nil ? nil : .registered
        } catch {
            core.reportStanding(error)
            return nil
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

    /// The stored values of declared keys that do not decode or are not allowed, as they are now, in file order.
    ///
    /// - Cost: decodes every stored value of a declared key.
    public func problems() -> [DefaultsProblem] {
        let values = core.viewReporting().snapshot.values
        return values.keys.compactMap { key in
            guard let declaration = core.catalogue.declaration(key), let text = values.value(forKey: key),
                let error = declaration.objection(text)
            else { return nil }
            let place = values.place(ofKey: key)
            return DefaultsProblem(
                key: key.string, line: place?.line, column: place?.column, code: error.code,
                reason: error.underlyingDescription ?? error.description,
                text: declaration.isSecret ? nil : String(decoding: text.bytes, as: UTF8.self))
        }
    }
}

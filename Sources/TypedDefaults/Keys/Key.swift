public import DefaultsStore

extension Defaults {
    // Unchecked is sound because every stored property is a constant and Sendable, as the superclass's are.
    /// A typed key: a name, a default and a way to code values, for one suite.
    ///
    /// Creating one touches no file. It enters the suite's catalogue and registers the default there, so that
    /// an untyped `suite.bool(forKey:)` returns it too. The default is evaluated at each use, and not at the declaration.
    /// One exception: if an argument or a variable names a member of the key's object, the declaration evaluates it.
    ///
    /// ```swift
    /// let volume = Defaults.Key<Double>(
    ///     "volume", default: 0.5, validation: .range(0...1))
    /// Defaults[volume] = 0.7
    /// ```
    public final class Key<Value: Sendable>: Keys, @unchecked Sendable {
        let coding: KeyCoding<Value>
        /// Tracks reads of the key; created at the first read through a property wrapper.
        let tracker = LazyReference<KeyTracker>()
        /// Whether the values are objects: each read then decodes a new one, and none is cached.
        let isOfClassType: Bool
        /// Whether stored values are plain texts without a validation.
        let isQuick: Bool
        @usableFromInline let makeDefault: @Sendable () -> Value
        private let declaresSecret: Bool
        private let about: String?
        /// Whether the key belongs to a property and has its name.
        private let isOfProperty: Bool

        /// Creates a key of any type, with a custom codec.
        ///
        /// - Parameters:
        ///   - name: the name of the member in the settings file.
        ///   - default: the value if nothing is stored; evaluated at each use.
        ///   - suite: the suite that it belongs to.
        ///   - codec: how values become JSON and come back.
        ///   - validation: the validation that values have to keep; a stored value that breaks it is not used.
        ///   - secret: whether values are kept out of everything that is printed.
        ///   - merge: how the values of several domains combine.
        ///   - storesNil: whether setting nil stores `null` if the default is another value; otherwise it
        ///     removes the stored value.
        ///   - description: the key's purpose, for programs that list settings.
        public convenience init(
            _ name: String, default: @autoclosure @escaping @Sendable () -> Value,
            suite: DefaultsSuite = .standard,
            codec: DefaultsCodec<Value>, validation: DefaultsValidation<Value>? = nil, secret: Bool = false,
            merge: DefaultsMerge = .replace, storesNil: Bool = false, description: String? = nil
        ) {
            self.init(
                name, suite, codec, validation: validation, secret: secret, merge: merge,
                storesNil: storesNil,
                description: description,
                isOfProperty: false, makeDefault: `default`)
        }

        /// In the suite's catalogue a declared key replaces a property's.
        package init(
            _ name: String, _ suite: DefaultsSuite, _ codec: DefaultsCodec<Value>,
            validation: DefaultsValidation<Value>? = nil, secret: Bool = false,
            merge: DefaultsMerge = .replace,
            storesNil: Bool = false, description: String? = nil, isOfProperty: Bool,
            makeDefault: @escaping @Sendable () -> Value
        ) {
            self.makeDefault = makeDefault
            self.isOfProperty = isOfProperty
            coding = KeyCoding(codec: codec, validation: validation, merge: merge, storesNil: storesNil)
            isOfClassType = KeyCoding<Value>.isOfClassType
            isQuick =
                codec.isScalar && validation == nil && merge == .replace && hasPlainValues(Value.self)
            declaresSecret = secret
            about = description
            super.init(name, suite: suite)
            declare(in: suite.ownContext)
        }

        // Overridden, because a `static let name` in an extension of `Keys` hides that class's own for its
        // module.
        /// The name of the member in the settings file.
        override public var name: String { ownName }
        /// The suite that the key belongs to.
        override public var suite: DefaultsSuite { ownSuite }

        /// The key's purpose, as it is declared.
        public var description: String? { about }
        /// Whether values are kept out of everything that is printed.
        ///
        /// This declaration or another one with the name may declare it.
        public var isSecret: Bool { declaresSecret || suite.context.isSecret(keyName) }
        /// The list of allowed values, each as a text that ``value(from:)`` reads; nil if there is no such
        /// list.
        ///
        /// It comes from `validation: .oneOf(...)`, otherwise from the cases of an enumeration that is
        /// `CaseIterable`.
        ///
        /// ```swift
        /// let theme = Defaults.Key<String>(
        ///     "theme", default: "light", validation: .oneOf("light", "dark"))
        /// // ["light", "dark"]
        /// print(theme.allowedValues ?? [])
        /// ```
        public var allowedValues: [String]? { coding.allowedTexts }
        /// The bounds of `validation: .range(...)`, each as a text that ``value(from:)`` reads; nil for any
        /// other validation.
        public var allowedRange: (lowerBound: String, upperBound: String)? { coding.allowedBounds }

        /// A short text that ``value(from:)`` reads, as an example for a person whose text was refused; nil
        /// if none is known.
        ///
        /// It is the default, if that has such a text. For an object it has a single member, if the key
        /// accepts that. For a secret key it shows nothing of the default or the validation.
        ///
        /// ```swift
        /// let pause = Defaults.Key<Duration>("pause", default: .seconds(90))
        /// // 1m30s
        /// print(pause.exampleText ?? "")
        /// ```
        public var exampleText: String? { coding.example(at: place(in: suite.context)) { defaultValue } }

        /// Returns the value of a text, by the key's type, validation and `merge:`.
        ///
        /// The text is read like one of the command line: as it is for a `String`, otherwise as JSON or a
        /// bare word. If the key combines values, the text may be a part of one, which is merged over the
        /// default. Nothing is stored; `suite.set(text:forKey:)` does that.
        ///
        /// ```swift
        /// let volume = Defaults.Key<Double>(
        ///     "volume", default: 0.5, validation: .range(0...1))
        /// let louder = try volume.value(from: "0.8")
        /// ```
        ///
        /// - Throws: `.typeMismatch`, `.invalidValue`.
        public func value(from text: String) throws(DefaultsError) -> Value {
            let place = place(in: suite.context)
            do {
                let stored = try coding.text(ofBare: [text], at: place) { defaultValue }
                return try coding.value(of: stored, at: place) { defaultValue }
            } catch {
                throw error.ofGivenText(example: exampleText)
            }
        }

        /// The value if nothing is stored or registered; evaluated at each use, so it may differ each time.
        @inlinable public var defaultValue: Value { makeDefault() }

        override package func isDefaultValue(in context: SuiteContext) -> Bool {
            countsAsDefault(in: context)
        }

        override package func makeChangeFilter(in context: SuiteContext)
            -> @Sendable (ChangeNotice.Entry) -> Bool
        {
            let filter = ValueFilter(self, in: context)
            return filter.isChange
        }

        override func register(in context: SuiteContext) {
            if context === ownSuite.ownContext { return }
            context.register(Value.self, keyName, isSecret: declaresSecret, merge: coding.merge) {
                declaration(in: context)
            }
        }

        override package func declare(in context: SuiteContext) {
            guard let reason = context.declare(declaration(in: context)) else { return }
            context.report(DefaultsError(.conflictingKeys, key: name, underlyingDescription: reason))
        }

        override package var declaration: KeyDeclaration? { declaration(in: suite.context) }

        override package var isCodable: Bool { coding.codec.isCodable }

        override package func ruleSchema() throws(DefaultsError) -> DefaultsObject {
            try coding.ruleSchema(at: place(in: suite.context))
        }

        func place(in context: SuiteContext) -> KeyPlace {
            KeyPlace(key: keyName, suite: context.name, isSecret: declaresSecret, context: context)
        }

        @inline(never) @_semantics("optimize.sil.specialize.generic.never")
        package func declaration(in context: SuiteContext) -> KeyDeclaration {
            // Without the context, which retains the declaration.
            coding.declaration(
                of: keyName, type: Value.self, suite: context.name, isOfProperty: isOfProperty,
                isSecret: declaresSecret || context.isSecret(keyName), description: about,
                default: makeDefault)
        }
    }
}

extension Defaults.Key where Value: Codable {
    /// Creates a key of a `Codable` type.
    ///
    /// - Parameters:
    ///   - name: the name of the member in the settings file.
    ///   - default: the value if nothing is stored; evaluated at each use.
    ///   - suite: the suite that it belongs to.
    ///   - validation: the validation that values have to keep; a stored value that breaks it is not used.
    ///   - secret: whether values are kept out of everything that is printed.
    ///   - merge: how the values of several domains combine.
    ///   - description: the key's purpose, for programs that list settings.
    public convenience init(
        _ name: String, default: @autoclosure @escaping @Sendable () -> Value,
        suite: DefaultsSuite = .standard,
        validation: DefaultsValidation<Value>? = nil, secret: Bool = false,
        merge: DefaultsMerge = .replace, description: String? = nil
    ) {
        self.init(
            name, default: `default`(), suite: suite, codec: .codable, validation: validation, secret: secret,
            merge: merge,
            description: description)
    }

    /// Creates a key whose default is computed by a closure at each use.
    ///
    /// ```swift
    /// let installed = Defaults.Key<[String]>("argumentsOfFirstStart") {
    ///     CommandLine.arguments
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the member in the settings file.
    ///   - suite: the suite that it belongs to.
    ///   - validation: the validation that values have to keep; a stored value that breaks it is not used.
    ///   - secret: whether values are kept out of everything that is printed.
    ///   - merge: how the values of several domains combine.
    ///   - description: the key's purpose, for programs that list settings.
    ///   - makeDefault: computes the value if nothing is stored.
    @_disfavoredOverload
    public convenience init(
        _ name: String, suite: DefaultsSuite = .standard, validation: DefaultsValidation<Value>? = nil,
        secret: Bool = false,
        merge: DefaultsMerge = .replace, description: String? = nil,
        default makeDefault: @escaping @Sendable () -> Value
    ) {
        // Disfavoured, so that the message about a wrong use is the other one's.
        self.init(
            name, default: makeDefault(), suite: suite, codec: .codable, validation: validation,
            secret: secret,
            merge: merge,
            description: description)
    }
}

extension Defaults.Key {
    /// Creates a key whose value may be missing: its default is nil.
    ///
    /// - Parameters:
    ///   - name: the name of the member in the settings file.
    ///   - suite: the suite that it belongs to.
    ///   - validation: the validation that values have to keep; a stored value that breaks it is not used.
    ///   - secret: whether values are kept out of everything that is printed.
    ///   - merge: how the values of several domains combine.
    ///   - description: the key's purpose, for programs that list settings.
    public convenience init<Wrapped: Codable & Sendable>(
        _ name: String, suite: DefaultsSuite = .standard, validation: DefaultsValidation<Value>? = nil,
        secret: Bool = false,
        merge: DefaultsMerge = .replace, description: String? = nil
    ) where Value == Wrapped? {
        self.init(
            name, default: nil, suite: suite, codec: .codable, validation: validation, secret: secret,
            merge: merge,
            description: description)
    }

    /// Creates a key whose value may be missing, with a default that is not nil.
    ///
    /// Without `storesNil:`, setting nil removes the stored value, so that the default is read again.
    ///
    /// ```swift
    /// let signature = Defaults.OptionalKey<String>(
    ///     "signature", default: "Ann", storesNil: true)
    /// // The file has null, and nil is read instead of "Ann".
    /// Defaults[signature] = nil
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the member in the settings file.
    ///   - default: the value if nothing is stored; evaluated at each use.
    ///   - suite: the suite that it belongs to.
    ///   - validation: the validation that values have to keep; a stored value that breaks it is not used.
    ///   - secret: whether values are kept out of everything that is printed.
    ///   - merge: how the values of several domains combine.
    ///   - storesNil: whether nil is a value, which is stored as `null`.
    ///   - description: the key's purpose, for programs that list settings.
    public convenience init<Wrapped: Codable & Sendable>(
        _ name: String, default: @autoclosure @escaping @Sendable () -> Value,
        suite: DefaultsSuite = .standard, validation: DefaultsValidation<Value>? = nil, secret: Bool = false,
        merge: DefaultsMerge = .replace, storesNil: Bool, description: String? = nil
    ) where Value == Wrapped? {
        self.init(
            name, default: `default`(), suite: suite, codec: .codable, validation: validation, secret: secret,
            merge: merge, storesNil: storesNil, description: description)
    }

    /// Creates a key whose value may be missing, with a custom codec.
    ///
    /// - Parameters:
    ///   - name: the name of the member in the settings file.
    ///   - suite: the suite that it belongs to.
    ///   - codec: how values become JSON and come back.
    ///   - validation: the validation that values have to keep; a stored value that breaks it is not used.
    ///   - secret: whether values are kept out of everything that is printed.
    ///   - merge: how the values of several domains combine.
    ///   - description: the key's purpose, for programs that list settings.
    public convenience init<Wrapped: Sendable>(
        _ name: String, suite: DefaultsSuite = .standard, codec: DefaultsCodec<Value>,
        validation: DefaultsValidation<Value>? = nil, secret: Bool = false,
        merge: DefaultsMerge = .replace, description: String? = nil
    ) where Value == Wrapped? {
        self.init(
            name, default: nil, suite: suite, codec: codec, validation: validation, secret: secret,
            merge: merge,
            description: description)
    }
}

/// Equality of a key's values.
extension Defaults.Key {
    /// Whether two values are equal: by `==` if the type has it, otherwise by their text.
    ///
    /// Values that are not equal to themselves, such as NaN, are compared by their text too.
    func areEqual(_ left: Value, _ right: Value, in context: SuiteContext) -> Bool {
        if let equal = areEquatablyEqual(left, right), equal || areEquatablyEqual(left, left) == true {
            return equal
        }
        do {
            return try comparableText(of: left, in: context) == comparableText(of: right, in: context)
        } catch {
            context.reportLasting(error)
            return false
        }
    }

    /// Returns the result of `==`; nil if the type has none.
    func areEquatablyEqual(_ left: Value, _ right: Value) -> Bool? {
        func compare<Comparand: Equatable>(_ left: Comparand) -> Bool? {
            (right as? Comparand).map { $0 == left }
        }
        guard let left = left as? any Equatable else { return nil }
        return compare(left)
    }

    /// Whether the effective value is the registered default, else the key's own.
    ///
    /// If the key's own default is the answer in both cases, it is not evaluated: it may differ at each use.
    func countsAsDefault(in context: SuiteContext) -> Bool {
        ReadRecorder.record(keyName, in: context)
        register(in: context)
        let view = context.viewReporting()
        let (found, below) = (find(in: context, view), find(fallbackIn: view.domains, in: context))
        guard found.isValue || below.isValue else {
            for refusal in found.refusals + below.refusals { context.reportLasting(refusal) }
            return true
        }
        return areEqual(value(of: found, in: context), value(of: below, in: context), in: context)
    }
}

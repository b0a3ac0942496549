public import DefaultsStore

extension Defaults {
    // Unchecked is sound because every stored property is an immutable Sendable value, and the only subclass is ours.
    /// The base class of every key: extend it with a `static let` for each.
    ///
    /// ```swift
    /// extension Defaults.Keys {
    ///     static let isUnicornMode = Key<Bool>("isUnicornMode", default: false)
    ///     static let nickname = OptionalKey<String>("nickname")
    /// }
    /// ```
    ///
    /// Two keys are equal if their names have the same bytes and their suites are the same. The design, a base class
    /// that programs extend and a generic subclass, is that of sindresorhus/Defaults.
    public class Keys: Hashable, @unchecked Sendable {
        /// A key whose value is never missing.
        public typealias Key = Defaults.Key
        /// A key whose value may be missing.
        public typealias OptionalKey = Defaults.OptionalKey

        /// The name of the member in the settings file.
        public var name: String { ownName }
        /// The suite that the key belongs to.
        public var suite: DefaultsSuite { ownSuite }
        // Under other names, so that a key named `name` does not hide these properties of `Key`.
        final let ownName: String
        final let ownSuite: DefaultsSuite
        package let keyName: KeyName
        /// Whether values may be written under the name.
        let isNameValid: Bool
        /// The context of the suite's handles, unretained to save a reference count at each read.
        final let context: Unmanaged<SuiteContext>
        /// The finding in the key's own suite.
        @usableFromInline final let slot = ValueCache()

        init(_ name: String, suite: DefaultsSuite) {
            ownName = name
            ownSuite = suite
            // Sound because the suite, a constant like its own context, keeps it alive as long as the key.
            context = .passUnretained(suite.ownContext)
            keyName = KeyName(name)
            isNameValid = KeyName.isValid(name)
        }

        /// Compares the bytes of the name, and the suite, whatever the types of the values.
        public static func == (left: Keys, right: Keys) -> Bool {
            left.keyName == right.keyName && left.ownSuite == right.ownSuite
        }

        /// Hashes the name and the suite.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(keyName)
            hasher.combine(ownSuite)
        }

        /// Adds the key to a suite's catalogue.
        package func declare(in context: SuiteContext) {}

        /// Declares the key in a suite that is not its own, at its first use there.
        func register(in context: SuiteContext) {}

        /// The key's declaration for its suite.
        package var declaration: KeyDeclaration? { nil }

        /// Whether the type of its values determines how they are stored.
        package var isCodable: Bool { false }

        /// The JSON Schema of the key's validation.
        package func ruleSchema() throws(DefaultsError) -> DefaultsObject { [:] }

        /// The filter by which an observer of several keys ignores a change of this key's spelling.
        package func makeChangeFilter(in context: SuiteContext) -> @Sendable (ChangeNotice.Entry) -> Bool {
            { entry in entry.old != entry.new }
        }

        /// Whether the effective value is the registered default, else the key's own.
        package func isDefaultValue(in context: SuiteContext) -> Bool { true }
    }

    /// Any key, whatever the type of its values.
    public typealias AnyKey = Keys
    /// A key whose value may be missing: its default is nil, and setting nil removes the stored value.
    public typealias OptionalKey<Wrapped: Sendable> = Key<Wrapped?>
}

extension Defaults.Keys: CustomReflectable {
    /// The name and the suite: a dump shows no value.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(
            self, children: ["name": ownName, "suite": ownSuite.name], displayStyle: .class,
            ancestorRepresentation: .suppressed)
    }
}

@_spi(TypedDefaults) import DefaultsStore

/// Which values are not shown: those that a schema which the settings name calls `writeOnly`.
struct HiddenValues {
    /// What stands in the place of such a value.
    static let mark = "(hidden)"

    private var schemas: [Schema] = []

    /// Asks the schema of a suite.
    ///
    /// One that is named and cannot be used hides nothing, which is said.
    init(of suite: DefaultsSuite) { add(NamedSchema(suite: suite).lookUp()) }

    /// Asks another schema, too.
    init(of suite: DefaultsSuite, and other: Schema) {
        self.init(of: suite)
        schemas.append(other)
    }

    /// Asks the schemas that its versions name, too: what is stored now may have lost the name, or have got another one.
    init(ofVersionsOf suite: DefaultsSuite) throws {
        self.init(of: suite)
        let named = NamedSchema(suite: suite)
        let references = try Set(suite.history(forKey: DefaultsSuite.schemaKey).compactMap(\.value))
        for reference in references where reference != named.reference { add(named.lookUp(reference)) }
    }

    private mutating func add(_ answer: NamedSchema.Answer) {
        switch answer {
        case .none, .elsewhere: break
        case .found(let schema): schemas.append(schema)
        case .unusable(let reason): Output.complain("\(reason), so no value is hidden", as: "warning")
        }
    }

    private init() {}

    /// No value is hidden.
    static let none = HiddenValues()

    /// Whether the value of a key is not shown.
    func hides(_ key: String) -> Bool { schemas.contains { $0.isWriteOnly(key) } }

    /// The keys whose values are not shown, of those that the schema names and others.
    func keys(besides others: [String]) -> [String] {
        Set(schemas.flatMap(\.keys) + others).filter(hides).sorted()
    }

    /// Says which values are left out of an output.
    func note(_ keys: some Sequence<String>) {
        let hidden = keys.filter(hides).map(SafeText.name)
        guard !hidden.isEmpty else { return }
        Output.complain(
            "hidden, because the schema has it writeOnly: \(hidden.joined(separator: ", ")); --reveal shows it",
            as: "note")
    }
}

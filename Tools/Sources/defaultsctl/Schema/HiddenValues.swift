import DefaultsStore

/// Which values are not shown: those that the schema which the settings name calls `writeOnly`.
struct HiddenValues {
    /// What stands in the place of such a value.
    static let mark = "(hidden)"

    /// Nil where nothing is hidden.
    private let schema: Schema?

    /// Asks the schema of a suite.
    ///
    /// One that is named and cannot be used hides nothing, which is said.
    init(of suite: DefaultsSuite) {
        switch NamedSchema(suite: suite).lookUp() {
        case .none, .elsewhere: schema = nil
        case .found(let schema): self.schema = schema
        case .unusable(let reason):
            schema = nil
            Output.complain("\(reason), so no value is hidden", as: "warning")
        }
    }

    private init() { schema = nil }

    /// No value is hidden.
    static let none = HiddenValues()

    /// Whether the value of a key is not shown.
    func hides(_ key: String) -> Bool { schema?.isWriteOnly(key) ?? false }

    /// Says which values are left out of an output.
    func note(_ keys: some Sequence<String>) {
        let hidden = keys.filter(hides).map(SafeText.name)
        guard !hidden.isEmpty else { return }
        Output.complain(
            "hidden, because the schema has it writeOnly: \(hidden.joined(separator: ", ")); --reveal shows it",
            as: "note")
    }
}

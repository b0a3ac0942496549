import ArgumentParser
@_spi(TypedDefaults) import DefaultsStore

/// Whether what is stored has to be what the settings' schema allows.
struct RuleOptions: ParsableArguments {
    @Flag(help: "Store it even if the schema that the settings name does not allow it.")
    var force = false

    /// The rules of a suite.
    ///
    /// A schema that is named and cannot be used refuses nothing, which is said.
    func rules(of suite: DefaultsSuite) -> SchemaRules {
        guard !force else { return SchemaRules(schema: nil) }
        switch NamedSchema(suite: suite).lookUp() {
        case .none, .elsewhere: return SchemaRules(schema: nil)
        case .found(let schema): return SchemaRules(schema: schema)
        case .unusable(let reason):
            Output.complain("\(reason), so nothing is checked by it", as: "warning")
            return SchemaRules(schema: nil)
        }
    }
}

/// What a schema says of values before they are stored.
struct SchemaRules {
    fileprivate let schema: Schema?

    /// One value that the schema does not allow.
    struct Refusal {
        let key: String
        let reason: String

        var message: String { "the schema does not allow this value of \(SafeText.name(key)): \(reason)" }

        /// As a plan prints it.
        var json: DefaultsValue {
            .members(["key": .string(key), "code": "schema", "message": .string(message)])
        }
    }

    /// What the schema does not allow; nothing where that takes longer than five seconds, which is said.
    func refusals(of members: DefaultsObject) -> [Refusal] {
        guard let schema else { return [] }
        // As `check` does.
        let found = System.value(withinSeconds: 5) { members.compactMap { schema.refusal(of: $0) } }
        if found == nil {
            Output.complain(
                "what the schema asks for takes longer than five seconds to check, so nothing is checked by it",
                as: "warning")
        }
        return found ?? []
    }

    /// Throws if the schema does not allow a value.
    func check(_ members: DefaultsObject) throws {
        let refusals = refusals(of: members)
        guard let first = refusals.first else { return }
        for other in refusals.dropFirst() { Output.complain(other.message, as: "problem") }
        throw Failure(.unusableInput, "\(first.message); nothing was changed, --force stores it all the same")
    }

    /// Says which key was meant, where one is stored that the schema does not have and may have.
    func noteUnknown(_ keys: some Sequence<String>) {
        guard let schema else { return }
        let unknown = keys.filter { schema.isAsked(ofKey: $0) && schema.property($0) == nil }
        // A hint compares the key with all others.
        for key in unknown.prefix(20) {
            let hint = Nearest.hint(key, among: schema.keys)
            guard !hint.isEmpty else { continue }
            Output.complain("the schema has no key \(SafeText.name(key))\(hint)", as: "note")
        }
    }
}

extension Schema {
    /// Whether it has anything to say of a key; it need not know those that are no settings.
    func isAsked(ofKey key: String) -> Bool { DefaultsSuite.isSetting(key) || property(key) != nil }

    fileprivate func refusal(of member: DefaultsObject.Element) -> SchemaRules.Refusal? {
        guard isAsked(ofKey: member.key), let objection = objections(to: member).first else { return nil }
        let hint = property(member.key) == nil ? Nearest.hint(member.key, among: keys) : ""
        return SchemaRules.Refusal(key: member.key, reason: objection.reason(forKey: member.key) + hint)
    }
}

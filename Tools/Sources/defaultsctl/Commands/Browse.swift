import ArgumentParser
import DefaultsStore
@_spi(TypedDefaults) import DefaultsTerminal

/// `browse`: the settings on the screen.
struct Browse: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the settings on the screen: search them, change them, take changes back.",
        discussion: """
            The keys are those of the schema that the settings name, with their descriptions, allowed values and defaults, \
            and whatever else is stored. What you change goes into a draft, and is stored together when you apply it. \
            Values that the schema calls writeOnly are hidden, and what it refuses is not taken. Press ? for the keys.
            """)

    @OptionGroup var place: PlaceOptions
    @OptionGroup var domains: DomainOptions
    @OptionGroup var secrets: RevealOptions

    func run() throws {
        let suite = try place.existing(readOnly: false)
        try domains.add(to: suite)
        let settings = SchemaSettings(
            suite: suite, schema: try schema(of: suite), hidden: secrets.hidden(in: suite))
        // The screen shows what fails.
        suite.onFailure = nil
        do {
            try DefaultsTerminal.runBlocking(suite) { () throws(DefaultsError) in settings.all }
        } catch let failure as DefaultsTerminal.Failure {
            throw Failure(failure.code == .noTerminal ? .usage : .refusedBySystem, failure.description)
        }
    }

    /// The schema that the settings name; nil where there is none, or where it cannot be used.
    private func schema(of suite: DefaultsSuite) throws -> Schema? {
        switch NamedSchema(suite: suite).lookUp() {
        case .found(let schema): return schema
        case .unusable(let reason): throw Failure(.unusableInput, reason)
        case .none, .elsewhere: return nil
        }
    }
}

/// The settings of a suite as the screen offers them: those of its schema, and what else is stored.
private struct SchemaSettings {
    let suite: DefaultsSuite
    let schema: Schema?
    let hidden: HiddenValues

    var all: [Setting] {
        let known = (schema?.keys ?? []).filter(DefaultsSuite.isSetting)
        let names = Set(known)
        return (known.map(setting) + others.filter { !names.contains($0) }.map(undescribed)).sorted {
            $0.name < $1.name
        }
    }

    /// The names of what is stored; none where the file cannot be read, which the screen says.
    private var others: [String] {
        do { return try suite.storedObject().map(\.key).filter(DefaultsSuite.isSetting) } catch { return [] }
    }

    private func undescribed(_ name: String) -> Setting {
        Setting(
            name: name, description: nil, kind: schema == nil ? "JSON, or a text" : "not in the schema",
            choices: [],
            rule: nil, standard: nil, isSecret: hidden.hides(name), reading: reading(name, isText: nil))
    }

    private func setting(_ name: String) -> Setting {
        let described = schema.flatMap { KeyDescription(name, in: $0) } ?? KeyDescription(unknown: name)
        return Setting(
            name: name, description: described.text, kind: described.allowed,
            choices: described.choices.filter { !$0.isNull }.map { $0.string ?? JSONText.oneLine($0) },
            rule: nil, standard: described.standard, isSecret: hidden.hides(name),
            reading: reading(name, isText: described.isText))
    }

    /// What is typed is a text where the setting is one, else JSON or a bare word; the schema has to allow it.
    ///
    /// - Parameter isText: nil if the schema does not say, so that it is what is stored.
    private func reading(_ name: String, isText: Bool?) -> @Sendable (String) -> Setting.Reading {
        { [suite, schema] text in
            let value: DefaultsValue
            let isText = isText ?? (suite.value(forKey: name)?.string != nil)
            do { value = try ValueType.value(text, as: isText ? .string : nil) } catch {
                return .refused((error as? Failure)?.message ?? "\(error)")
            }
            let reasons = schema?.objections(to: (name, value)).map(\.reason) ?? []
            return reasons.isEmpty ? .value(value) : .refused(reasons.joined(separator: "; "))
        }
    }
}

import Configuration
import TypedDefaults

/// How a provider is asked for the value of one key, and what its answer is in the key's stored form.
struct ConfigQuestion: Sendable {
    private let key: Defaults.AnyKey
    private let path: AbsoluteConfigKey
    /// The forms that the provider may have it in, the likeliest first.
    private let forms: [ConfigForm]

    /// Returns the questions about some keys.
    ///
    /// - Throws: `.encodingFailed` for a key whose default cannot be written as JSON; `.sourceFailed` for a provider that
    ///   gives the values of the key's own suite, which would be its own defaults from then on.
    static func questions(
        about keys: [Defaults.AnyKey], to provider: any ConfigProvider
    ) throws(DefaultsError) -> [ConfigQuestion] {
        let schemas = try Defaults.schema(of: keys)["properties"]
        var questions: [ConfigQuestion] = []
        for key in keys {
            if (provider as? DefaultsConfigProvider)?.suite == key.suite {
                throw DefaultsError.sourceFailed(
                    "the provider gives the key's own suite's values back; ask another one", key: key.name)
            }
            questions.append(
                ConfigQuestion(
                    key: key, path: AbsoluteConfigKey(ConfigKey(key.name)),
                    forms: ConfigForm.forms(of: schemas?[key.name]?.object ?? [:])))
        }
        return questions
    }

    /// Returns the layer that a snapshot has: every answer is good, or there is none.
    static func update(of snapshot: any ConfigSnapshot, _ questions: [ConfigQuestion]) -> DefaultsLayerUpdate
    {
        var layer: [String: DefaultsValue] = [:]
        var failures: [DefaultsError] = []
        for question in questions {
            do throws(DefaultsError) {
                layer[question.key.name] = try question.answer(of: snapshot)
            } catch {
                failures.append(error)
            }
        }
        return failures.isEmpty
            ? DefaultsLayerUpdate(layer: DefaultsLayer(layer)) : DefaultsLayerUpdate(failures: failures)
    }

    /// Returns the answer, nil if the provider has no value.
    ///
    /// - Throws: `.sourceFailed`: why the likeliest form could not be had.
    private func answer(of snapshot: any ConfigSnapshot) throws(DefaultsError) -> DefaultsValue? {
        var first: DefaultsError?
        for form in forms {
            let value: ConfigValue?
            do { value = try snapshot.value(forKey: path, type: form.type).value } catch {
                first = first ?? failure("it cannot be had as \(form.type) (\(Swift.type(of: error)))")
                continue
            }
            guard let value else { return nil }
            guard !value.isSecret || key.suite.isSecret(forKey: key.name) else {
                throw failure("the provider keeps it secret; declare the key with secret: true")
            }
            if let read = form.value(of: value.content) { return read }
            first = first ?? failure("what was given is no \(form.type) that the key could have")
        }
        throw first ?? failure("the key has no form to be asked for")
    }

    private func failure(_ reason: String) -> DefaultsError {
        DefaultsError.sourceFailed(reason, key: key.name)
    }
}

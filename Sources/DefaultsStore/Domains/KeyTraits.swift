/// What a declaration says about the values of its key in other domains: how they combine, and what the texts of the
/// command line and the environment mean.
///
/// Computed once when a key is declared or texts arrive, because that runs a type's own decoding.
struct KeyTraits: Hashable, Sendable {
    var merge = DefaultsMerge.replace
    /// Whether a flag of the command line needs no value.
    var isFlag = false
    /// Whether all flags of the name count, and not the last one alone.
    var takesAllFlags = false
    /// The argument as a value, or why it is not one; nil if there is no argument.
    var argument: Result<StoredValue, DefaultsError>?
    /// The variable as a value, or why it is not one; nil if there is no variable.
    var variable: Result<StoredValue, DefaultsError>?

    /// The texts of the layers that have texts, by the layers' names, as values, or why they are none.
    var files: [String: Result<StoredValue, DefaultsError>] = [:]

    /// Whether there is a variable that counts as none: an empty one of a secret key.
    var leavesOutVariable = false

    /// Whether an undeclared key would be treated the same.
    var isPlain: Bool {
        merge == .replace && argument == nil && variable == nil && !leavesOutVariable && files.isEmpty
    }

    /// The texts that were refused.
    var refusals: [DefaultsError] {
        let readings = [argument, variable] + files.sorted { $0.key < $1.key }.map(\.value)
        return readings.compactMap { $0?.refusal }
    }
}

extension DomainStack {
    /// Returns the traits of a declared key in these domains; runs the decoding of its type.
    func traits(of declaration: KeyDeclaration) -> KeyTraits {
        let flags = contents.arguments.flags[declaration.name] ?? []
        let takesAll = flags.count > 1 && declaration.isList
        let counting = takesAll ? flags[...] : flags.suffix(1)
        let variable = contents.environment[declaration.name]
        // Whoever starts a program with no secret often sets the variable all the same.
        let isLeftOut = declaration.isSecret && variable?.text.text?.isEmpty == true
        return KeyTraits(
            merge: declaration.merge, isFlag: declaration.isFlag, takesAllFlags: takesAll,
            argument: counting.last.map {
                reading(
                    counting.map(\.text), declaration, "the argument \($0.spelling)",
                    at: .argument(index: $0.index, flag: $0.spelling))
            },
            variable: isLeftOut
                ? nil
                : variable.map {
                    reading([$0.text], declaration, "the variable \($0.name)", at: .variable($0.name))
                },
            files: readingsOfFiles(declaration), leavesOutVariable: isLeftOut)
    }

    private func readingsOfFiles(
        _ declaration: KeyDeclaration
    ) -> [String: Result<StoredValue, DefaultsError>] {
        var readings: [String: Result<StoredValue, DefaultsError>] = [:]
        for layer in contents.layers where !layer.texts.isEmpty {
            guard let text = layer.texts[declaration.name] else { continue }
            readings[layer.name] = reading(
                [text.text], declaration, "the file \(text.path)",
                at: layer.explained(at: text.path), isSecret: layer.isSecret)
        }
        return readings
    }

    private func reading(
        _ texts: [BareText], _ declaration: KeyDeclaration, _ name: String,
        at place: DefaultsExplanation.Place, isSecret: Bool = false
    ) -> Result<StoredValue, DefaultsError> {
        do throws(DefaultsError) {
            let value = try declaration.reading(
                texts.map { (text) throws(DefaultsError) in try text.typed(declaration) }, isSecret: isSecret)
            guard declaration.merge.takes(value.value) else {
                throw DefaultsError(
                    .typeMismatch, key: declaration.name.string,
                    underlyingDescription: "it cannot be combined with other domains' values")
            }
            return .success(value)
        } catch {
            var error = error
            error.underlyingDescription =
                name + (error.underlyingDescription.map { " cannot be used: \($0)" } ?? " cannot be used")
            return .failure(error.advising(place.remedy(example: declaration.example(isSecret: isSecret))))
        }
    }
}

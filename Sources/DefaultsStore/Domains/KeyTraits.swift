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

    /// A member of the key's objects that has a text of its own: `--limits.burst 3`, `APP_LIMITS_BURST=3`.
    struct Member: Hashable, Sendable {
        /// The name that it has as a setting of its own.
        let name: KeyName
        /// An object with that member alone, or why the text is not one.
        let reading: Result<StoredValue, DefaultsError>
    }

    var argumentMembers: [Member] = []
    var variableMembers: [Member] = []
    var forms: [FileForm] = []
    /// The key's own default, over which members are merged if no domain has a value; nil if there are none.
    var standard: StoredValue?

    /// Whether an undeclared key would be treated the same.
    var isPlain: Bool {
        merge == .replace && argument == nil && variable == nil && !leavesOutVariable && files.isEmpty
            && !hasMembers
    }

    /// Whether a domain has a member alone, or the value under another name.
    var hasMembers: Bool { !argumentMembers.isEmpty || !variableMembers.isEmpty || !forms.isEmpty }

    var refusals: [DefaultsError] {
        let ofFiles = ([files] + forms.map(\.readings)).flatMap { all in
            all.sorted { $0.key < $1.key }.map(\.value)
        }
        let readings =
            [argument, variable] + ofFiles + (argumentMembers + variableMembers).map(\.reading)
        return readings.compactMap { $0?.refusal }
    }
}

extension DomainStack {
    /// Returns the traits of a declared key in these domains; runs the decoding of its type.
    ///
    /// - Parameter isDeclared: whether a name is that of a declared key, and so no member of another one's.
    func traits(of declaration: KeyDeclaration, isDeclared: (KeyName) -> Bool) -> KeyTraits {
        var traits = ownTraits(of: declaration)
        traits.forms = forms(of: declaration, isDeclared: isDeclared)
        readMembers(of: declaration, isDeclared: isDeclared, into: &traits)
        // A default that cannot be written has no members either.
        if traits.hasMembers {
            do { traits.standard = try declaration.defaultText() } catch { return traits }
        }
        return traits
    }

    private func forms(of declaration: KeyDeclaration, isDeclared: (KeyName) -> Bool) -> [FileForm] {
        contents.forms(of: declaration, isDeclared: isDeclared).map { form in
            var form = form
            for layer in contents.layers where form.isMember && !layer.texts.isEmpty {
                guard let text = layer.texts[form.name] else { continue }
                form.readings[layer.name] = reading(
                    declaration, "the file \(text.path)", isSecret: layer.isSecret, isMember: true,
                    at: layer.explained(at: text.path)
                ) { () throws(DefaultsError) in
                    try declaration.reading(text.text.text ?? "", forMember: form.path)
                }
            }
            return form
        }
    }

    private func readMembers(
        of declaration: KeyDeclaration, isDeclared: (KeyName) -> Bool, into traits: inout KeyTraits
    ) {
        // What the members are is asked of the default, which may be slow to compute.
        let prefix = declaration.name.string + "."
        guard
            contents.arguments.flags.keys.contains(where: { $0.string.utf8.starts(with: prefix.utf8) })
                || contents.environment.hasLonger(than: declaration.name)
        else { return }
        for member in declaration.members where !isDeclared(member.name) {
            if let flag = contents.arguments.flags[member.name]?.last {
                let text = flag.text.raw(isFlag: false) ?? "true"
                let reading = reading(
                    declaration, "the argument \(flag.spelling)", isMember: true, at: flag.location
                ) {
                    () throws(DefaultsError) in try declaration.reading(text, forMember: member.path)
                }
                traits.argumentMembers.append(KeyTraits.Member(name: member.name, reading: reading))
            }
            if let variable = contents.environment[member.name], let text = variable.text.text,
                !text.isEmpty || !declaration.isSecret
            {
                let reading = reading(
                    declaration, "the variable \(variable.name)", isMember: true, at: .variable(variable.name)
                ) { () throws(DefaultsError) in try declaration.reading(text, forMember: member.path) }
                traits.variableMembers.append(KeyTraits.Member(name: member.name, reading: reading))
            }
        }
    }

    private func ownTraits(of declaration: KeyDeclaration) -> KeyTraits {
        let flags = contents.arguments.flags[declaration.name] ?? []
        let takesAll = flags.count > 1 && declaration.isList
        let counting = takesAll ? flags[...] : flags.suffix(1)
        let variable = contents.environment[declaration.name]
        // Whoever starts a program with no secret often sets the variable all the same.
        let isLeftOut = declaration.isSecret && variable?.text.text?.isEmpty == true
        return KeyTraits(
            merge: declaration.merge, isFlag: declaration.isFlag, takesAllFlags: takesAll,
            argument: counting.last.map {
                reading(counting.map(\.text), declaration, "the argument \($0.spelling)", at: $0.location)
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
        at location: DefaultsExplanation.Location, isSecret: Bool = false
    ) -> Result<StoredValue, DefaultsError> {
        reading(declaration, name, isSecret: isSecret, at: location) { () throws(DefaultsError) in
            let value = try declaration.reading(
                texts.map { (text) throws(DefaultsError) in try text.typed(declaration) }, isSecret: isSecret)
            guard declaration.merge.takes(value.value) else {
                throw DefaultsError(
                    .typeMismatch, key: declaration.name.string,
                    underlyingDescription: "it cannot be combined with other domains' values")
            }
            return value
        }
    }

    private func reading(
        _ declaration: KeyDeclaration, _ name: String, isSecret: Bool = false, isMember: Bool = false,
        at location: DefaultsExplanation.Location, _ read: () throws(DefaultsError) -> StoredValue
    ) -> Result<StoredValue, DefaultsError> {
        do throws(DefaultsError) { return .success(try read()) } catch {
            var error = error
            error.underlyingDescription =
                name + (error.underlyingDescription.map { " cannot be used: \($0)" } ?? " cannot be used")
            let example = isMember ? nil : declaration.example(isSecret: isSecret)
            return .failure(error.advising(location.recoverySuggestion(example: example)))
        }
    }
}

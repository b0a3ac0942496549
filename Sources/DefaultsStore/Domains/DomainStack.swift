/// The domains that can supply a value besides a key's own default, highest first, at one moment.
///
/// Immutable; a change of any domain publishes a new list. The first domain that has the key answers, unless the key
/// combines what all of them have. The order stands here twice: in `above` and `lower` for reads, and in `candidates` for
/// `explain`. Architecture.md says what else a new domain needs.
package final class DomainStack: Sendable {
    /// What the domains have, except the stored one, from the highest to the lowest.
    struct Contents: Sendable {
        var managed = ManagedDomain()
        var arguments = ArgumentDomain()
        var environment = EnvironmentDomain()
        /// Values set for as long as the process runs.
        var transient: [KeyName: StoredValue] = [:]
        /// The stored values that are not served; nil for none.
        var withheld: WithheldValues?
        /// The highest precedence first.
        var layers: [InstalledLayer] = []
        /// Values registered under their keys' names, below every layer.
        var registered: [KeyName: StoredValue] = [:]

        /// How declared keys treat all this; for a key that is not here, texts are untyped and nothing is combined.
        var traits: [KeyName: KeyTraits] = [:]
        /// What names the files of the administrator and of the sources have; another one for other files.
        var fileNames = FileNames()

        /// How often arguments or variables were added.
        var additions = 0

        /// Whether a key has texts here or combines values, so that traits of it are kept, or were.
        func treatsSpecially(_ declaration: KeyDeclaration) -> Bool {
            let hasTexts =
                !arguments.flags.isEmpty || !environment.isEmpty || layers.contains { !$0.texts.isEmpty }
            return hasTexts || !traits.isEmpty || declaration.merge != .replace
                || mayHaveForms(declaration.name)
        }

        fileprivate var isBare: Bool {
            managed.isEmpty && arguments.flags.isEmpty && environment.isEmpty
                && transient.isEmpty && layers.isEmpty && registered.isEmpty && withheld == nil
                && traits.values.allSatisfy { $0.merge == .replace }
        }
    }

    let contents: Contents
    /// Whether no domain but the stored one has a value, and no key combines values: then what is stored applies.
    let isBare: Bool
    let locksNothing: Bool

    init(_ contents: Contents = Contents()) {
        self.contents = contents
        isBare = contents.isBare
        locksNothing = contents.managed.isEmpty && contents.layers.allSatisfy(\.locked.isEmpty)
    }

    func changing(_ change: (inout Contents) -> Void) -> DomainStack {
        var changed = contents
        change(&changed)
        return DomainStack(changed)
    }

    /// Returns the effective value of a key, nil if only the key's own default can answer.
    ///
    /// - Parameter stored: what the file, or an open transaction, has for the key.
    package func first(_ key: KeyName, stored: StoredValue?) -> StoredValue? {
        if isBare { return stored }
        let merge = merge(of: key)
        guard merge == .replace else {
            return merge.combined(candidates(key, stored: stored).combined.compactMap(\.value))
        }
        if hasMembers(key) {
            return choice(of: key, among: candidates(key, stored: stored)) { _, _, _ in Void?.none }.value
        }
        let served = contents.withheld.map { $0.served(stored, of: key) } ?? stored
        return above(key) ?? served ?? lower(key)
    }

    /// Whether a domain has a member of the key's object, or its value, under a name that is not the key's.
    private func hasMembers(_ key: KeyName) -> Bool { contents.traits[key]?.hasMembers == true }

    /// Nil if the answer depends on what is stored.
    package func override(of key: KeyName) -> StoredValue? {
        if isBare { return nil }
        let merge = merge(of: key)
        if merge == .replace, hasMembers(key) {
            let all = candidates(key, stored: nil)
            guard all.first(where: { $0.value != nil && !$0.isMember })?.domain == .managed else {
                return nil
            }
            return choice(of: key, among: all) { _, _, _ in Void?.none }.value
        }
        if merge == .replace { return above(key) }
        return isLocked(key) ? merge.combined(candidates(key, stored: nil).combined.compactMap(\.value)) : nil
    }

    /// Returns the same without the texts that the key is known not to be able to use.
    package func first(
        _ key: KeyName, stored: StoredValue?, except refused: RefusedTexts?
    ) -> StoredValue? {
        guard let refused, !refused.isEmpty else { return first(key, stored: stored) }
        return choice(of: key, among: candidates(key, stored: stored)) {
            text, role, _ in refused.has(text, as: role) ? () : nil
        }.value
    }

    /// Returns the registered value alone: the one that applies if no higher domain has the key.
    package func fallback(of key: KeyName, except refused: RefusedTexts? = nil) -> StoredValue? {
        if merge(of: key) == .replace, !hasMembers(key), refused?.isEmpty ?? true { return lower(key) }
        return choice(of: key, among: fallbacks(key)) { text, role, _ in
            refused?.has(text, as: role) == true ? () : nil
        }.value
    }

    package func merge(of key: KeyName) -> DefaultsMerge { contents.traits[key]?.merge ?? .replace }

    /// Whether an administrator has set the key or a member of it, in a file or through a source, so that nobody else may.
    func isLocked(_ key: KeyName) -> Bool {
        if locksNothing { return false }
        return managed(key) != nil || hasMembers(key) && lockedForm(of: key) != nil
    }

    /// What an administrator has for a key under another name.
    private func lockedForm(of key: KeyName) -> Candidate? {
        candidates(key, stored: nil).first { $0.domain == .managed && $0.spelling != nil }
    }

    /// The administrator's file, or the place or name of the source, that locks the key.
    func placeOfLock(_ key: KeyName) -> String? {
        let names = [key, lockedForm(of: key)?.spelling].compactMap(\.self)
        if let file = names.lazy.compactMap(contents.managed.file).first { return file.path }
        return contents.layers.first { layer in names.contains { layer.locked[$0] != nil } }
            .map { $0.location ?? $0.name }
    }

    /// The names for which a domain besides the stored one has a value; some occur more than once.
    ///
    /// The name of a variable does not reveal a key's exact name, so variables are not included.
    var names: [KeyName] {
        contents.managed.keys + Array(contents.arguments.flags.keys)
            + Array(contents.transient.keys) + Array(contents.registered.keys)
            + contents.layers.flatMap { $0.values.keys + $0.locked.keys }
            + (contents.withheld.map { Array($0.pairs.keys) } ?? [])
    }

    /// The declared keys for which the environment has a value, or a domain has something under another name.
    var namesOfTraits: [KeyName] {
        contents.traits.lazy.filter { $0.value.variable?.found != nil || $0.value.hasMembers }.map(\.key)
            .sorted()
    }

    func argument(_ key: KeyName) -> StoredValue? {
        if let reading = contents.traits[key]?.argument { return reading.found }
        return contents.arguments.flags[key]?.last?.text.untyped
    }

    func variable(_ key: KeyName) -> StoredValue? {
        if let traits = contents.traits[key] {
            if traits.leavesOutVariable { return nil }
            if let reading = traits.variable { return reading.found }
        }
        return contents.environment[key]?.text.untyped
    }

    private func above(_ key: KeyName) -> StoredValue? {
        managed(key) ?? argument(key) ?? variable(key) ?? contents.transient[key]
    }

    /// Returns what the administrator's file has, or the first source that locks the key.
    private func managed(_ key: KeyName) -> StoredValue? {
        if let value = contents.managed[key] { return value }
        for layer in contents.layers { if let value = layer.locked[key] { return value } }
        return nil
    }

    private func lower(_ key: KeyName) -> StoredValue? {
        for layer in contents.layers { if let value = value(of: key, in: layer) { return value } }
        return contents.registered[key]
    }
}

extension Result where Success == StoredValue, Failure == DefaultsError {
    /// The value; nil if it was refused, which was reported when it was computed.
    var found: StoredValue? {
        guard case .success(let value) = self else { return nil }
        return value
    }

    var refusal: DefaultsError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

/// Everything that could answer for a key, in order.
extension DomainStack {
    /// What one domain has for a key.
    package struct Candidate: Sendable {
        package let domain: DefaultsDomain
        let location: DefaultsExplanation.Location
        /// What it means to the key; nil if it was refused.
        package let value: StoredValue?
        /// The text from outside that it was read from, if any.
        var bare: String?
        var refusal: DefaultsError?
        var file: DropIns.File?
        /// A member alone, merged over the values of the domains below.
        package var isMember = false
        /// The name that a file has it under, if that is not the key's.
        var spelling: KeyName?
        /// How many starts failed with it, if it is withheld for that.
        var failedStarts: Int?

        /// Nil if it is not in the administrator's file.
        func filePlace(of key: KeyName) -> (path: String, line: Int, column: Int)? {
            file?.place(of: spelling ?? key)
        }

        /// The text as it was given, or what a flag without a value means.
        var text: String? { bare ?? value.map { String(decoding: $0.bytes, as: UTF8.self) } }

        /// Nil for a value that can be set or reset.
        var recoverySuggestion: String? {
            if let recoverySuggestion = location.recoverySuggestion() { return recoverySuggestion }
            if domain == .managed { return "Have it corrected in the administrator's file." }
            return domain == .transient ? "Set or remove the transient value." : nil
        }
    }

    /// Returns all domains' values for a key, highest first, without the key's own default.
    ///
    /// Places in files are left to the code that shows them, because finding one reads the file's text.
    package func candidates(_ key: KeyName, stored: StoredValue?) -> [Candidate] {
        let traits = contents.traits[key]
        var all: [Candidate] = []
        func add(_ domain: DefaultsDomain, _ location: DefaultsExplanation.Location, _ value: StoredValue?) {
            if let value { all.append(Candidate(domain: domain, location: location, value: value)) }
        }
        /// Adds what a file has for the key, under its own name or else under others.
        func add(
            _ domain: DefaultsDomain, _ location: DefaultsExplanation.Location,
            from file: DropIns.File? = nil,
            readings name: String? = nil, in value: (KeyName) -> StoredValue?
        ) {
            if let value = value(key) {
                return all.append(Candidate(domain: domain, location: location, value: value, file: file))
            }
            for form in traits?.forms ?? [] {
                guard let found = value(form.name) else { continue }
                let reading = name.flatMap { form.readings[$0] }
                guard reading != nil || form.value(of: found) != nil else { continue }
                all.append(
                    Candidate(
                        domain: domain, location: location,
                        value: reading.map(\.found) ?? form.value(of: found),
                        bare: form.isMember ? String(decoding: found.bytes, as: UTF8.self) : nil,
                        refusal: reading?.refusal, file: file, isMember: form.isMember, spelling: form.name))
            }
        }
        for file in contents.managed.files { add(.managed, .memory, from: file, in: file.value) }
        for layer in contents.layers { add(.managed, layer.explained) { layer.locked[$0] } }
        for member in traits?.argumentMembers ?? [] {
            guard let flag = contents.arguments.flags[member.name]?.last else { continue }
            all.append(
                Candidate(
                    domain: .arguments, location: flag.location, value: member.reading.found,
                    bare: flag.text.raw(isFlag: false), refusal: member.reading.refusal, isMember: true))
        }
        if let flags = contents.arguments.flags[key], let flag = flags.last {
            let counting = traits?.takesAllFlags == true ? flags[...] : flags.suffix(1)
            let texts = counting.compactMap { $0.text.raw(isFlag: traits?.isFlag ?? false) }
            all.append(
                Candidate(
                    domain: .arguments, location: flag.location,
                    value: argument(key), bare: texts.isEmpty ? nil : texts.joined(separator: ","),
                    refusal: traits?.argument?.refusal))
        }
        for member in traits?.variableMembers ?? [] {
            guard let variable = contents.environment[member.name] else { continue }
            all.append(
                Candidate(
                    domain: .environment, location: .variable(variable.name), value: member.reading.found,
                    bare: variable.text.text, refusal: member.reading.refusal, isMember: true))
        }
        if let variable = contents.environment[key], traits?.leavesOutVariable != true {
            all.append(
                Candidate(
                    domain: .environment, location: .variable(variable.name), value: self.variable(key),
                    bare: variable.text.text, refusal: traits?.variable?.refusal))
        }
        add(.transient, .memory, contents.transient[key])
        if let both = contents.withheld?.candidates(key, stored: stored) {
            all += both
        } else {
            add(.stored, .memory, stored)
        }
        for layer in contents.layers {
            if let text = layer.texts[key] {
                all.append(
                    Candidate(
                        domain: .registered, location: layer.explained(at: text.path),
                        value: value(of: key, in: layer), bare: text.text.text,
                        refusal: traits?.files[layer.name]?.refusal))
                continue
            }
            for part in layer.parts {
                add(.registered, layer.explained(at: part.location)) { part.values[$0] }
            }
            guard layer.parts.isEmpty else { continue }
            add(.registered, layer.explained, readings: layer.name) { layer.values[$0] }
        }
        add(.registered, .registration, contents.registered[key])
        return all
    }

    /// Returns what the domains below the one that a text comes from have for a key, highest first: the text lacks members
    /// that a type has got since.
    ///
    /// - Parameter stored: what is stored; the text is taken for the stored one if no domain has it now.
    package func below(_ text: StoredValue, of key: KeyName, stored: StoredValue?) -> [StoredValue] {
        if isBare { return [] }
        for all in [candidates(key, stored: stored), servingStored.candidates(key, stored: text)] {
            if let place = all.firstIndex(where: { $0.value == text }) { return all.below(place) }
        }
        return []
    }

    /// Returns what the registration domain has for a key, highest first.
    package func fallbacks(_ key: KeyName) -> [Candidate] {
        candidates(key, stored: nil).filter { $0.domain == .registered }
    }

    /// What some domains' values for a key come to.
    package struct Choice<Refusal> {
        /// The value of the highest that fits, or all that fit combined; nil if none does.
        package fileprivate(set) var value: StoredValue?
        /// The domains that it is from, by their positions.
        fileprivate(set) var counting: [Int] = []
        /// Why others were passed over, by their positions.
        package fileprivate(set) var refusals: [Int: Refusal] = [:]
    }

    /// Chooses among domains' values: one that does not fit never hides those below it.
    ///
    /// Of values that combine, each has to fit as a part, and all together as a whole: otherwise the highest is left out. A
    /// member alone is merged over what is below it, in the end over the key's own default.
    ///
    /// - Parameter refusal: says why a text does not fit, over what is below it; nil if it does. Not asked about a value behind
    ///   the effective one.
    package func choice<Refusal>(
        of key: KeyName, among all: [Candidate],
        refusal: (StoredValue, KeyDeclaration.Role, _ lower: [StoredValue]) -> Refusal?
    ) -> Choice<Refusal> {
        var choice = Choice<Refusal>()
        let merge = merge(of: key)
        var rest = all.indices.filter { index in
            guard merge != .replace, let value = all[index].value else { return all[index].value != nil }
            choice.refusals[index] = refusal(value, .part, [])
            return choice.refusals[index] == nil
        }
        var members: [Int] = []
        while let highest = rest.first {
            if merge == .replace, all[highest].isMember {
                members.append(highest)
                rest.removeFirst()
                continue
            }
            // Nobody else takes part in a value that is locked.
            let isLocked = all[highest].domain == .managed
            let counting =
                merge == .replace
                ? [highest] : isLocked ? rest.filter { all[$0].domain == .managed } : rest
            guard let value = merge.combined(counting.compactMap { all[$0].value }) else { break }
            guard let objection = refusal(value, .whole, merge == .replace ? all.below(highest) : []) else {
                (choice.value, choice.counting) = (value, counting)
                break
            }
            choice.refusals[highest] = objection
            rest.removeFirst()
        }
        for member in members.reversed() {
            let below = choice.value ?? contents.traits[key]?.standard
            guard let whole = DefaultsMerge.deepMerge.combined([all[member].value, below].compactMap(\.self))
            else {
                continue
            }
            choice.refusals[member] = refusal(whole, .whole, choice.counting.last.map(all.below) ?? [])
            if choice.refusals[member] == nil {
                (choice.value, choice.counting) = (whole, [member] + choice.counting)
            }
        }
        return choice
    }

    /// Returns the effective value of a key that the program cannot set: neither what is stored nor a
    /// transient value takes part.
    package func firstUnset(_ key: KeyName) -> StoredValue? {
        let all = servingStored.candidates(key, stored: nil).filter { $0.domain != .transient }
        return choice(of: key, among: all) { _, _, _ in Void?.none }.value
    }
}

extension [DomainStack.Candidate] {
    /// Those that a key with a rule for combining is combined from: the administrator's alone where there are any,
    /// because nobody else takes part in a value that is locked.
    var combined: ArraySlice<DomainStack.Candidate> {
        first?.domain == .managed ? prefix { $0.domain == .managed } : self[...]
    }

    /// Returns the values below one of them; below an administrator's only his others, as in ``combined``.
    package func below(_ place: Int) -> [StoredValue] {
        let all = self[place].domain == .managed ? combined : self[...]
        return all.dropFirst(place + 1).compactMap(\.value)
    }
}

/// The changes of a process's domains; each returns a new list.
extension DomainStack {
    /// A later registration of a name wins.
    func registering(_ values: [KeyName: StoredValue]) -> DomainStack {
        changing { $0.registered.merge(values) { _, new in new } }
    }

    /// Nil removes a value.
    func settingTransient(_ changes: [(key: KeyName, value: StoredValue?)]) -> DomainStack {
        changing { contents in
            for (key, value) in changes { contents.transient[key] = value }
        }
    }

    /// The later flags take precedence.
    func adding(_ arguments: ArgumentDomain) -> DomainStack {
        changing {
            $0.arguments = $0.arguments.adding(arguments)
            $0.additions += 1
        }
    }

    func adding(_ environment: [String: String], prefix: String) -> DomainStack {
        changing {
            $0.environment = $0.environment.adding(environment, prefix: prefix)
            $0.additions += 1
        }
    }

    func setting(_ traits: [KeyName: KeyTraits]) -> DomainStack {
        changing { contents in
            for (key, traits) in traits { contents.traits[key] = traits.isPlain ? nil : traits }
        }
    }

    /// An older read changes nothing.
    func setting(_ managed: ManagedDomain) -> DomainStack {
        guard managed.reading > contents.managed.reading else { return self }
        return changing { ($0.managed, $0.fileNames) = (managed, FileNames()) }
    }
}

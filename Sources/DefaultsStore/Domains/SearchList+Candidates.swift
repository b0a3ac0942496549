/// Everything that could answer for a key, in order.
extension SearchList {
    /// What one domain has for a key.
    struct Candidate: Sendable {
        let origin: DefaultsOrigin
        let place: DefaultsExplanation.Place
        /// What it means to the key; nil if it was refused.
        let value: StoredValue?
        /// The text from outside that it was read from, if any.
        var bare: String?
        var refusal: DefaultsError?
        /// The administrator's file that it is in, if any.
        var file: DropIns.File?

        /// The text as it was given, or what a flag without a value means.
        var text: String? { bare ?? value.map { String(decoding: $0.bytes, as: UTF8.self) } }

        /// What to do about a value here that its key cannot use; nil for one that can be set or reset.
        var remedy: String? {
            if let remedy = place.remedy() { return remedy }
            if origin == .managed { return "Have it corrected in the administrator's file." }
            return origin == .transient ? "Set or remove the transient value." : nil
        }
    }

    /// Returns all domains' values for a key, highest first, without the key's own default.
    ///
    /// Places in files are left to the code that shows them, because finding one reads the file's text.
    func candidates(_ key: KeyName, stored: StoredValue?) -> [Candidate] {
        let traits = contents.traits[key]
        var all: [Candidate] = []
        func add(_ origin: DefaultsOrigin, _ place: DefaultsExplanation.Place, _ value: StoredValue?) {
            if let value { all.append(Candidate(origin: origin, place: place, value: value)) }
        }
        for file in contents.managed.files {
            if let value = file.value(of: key) {
                all.append(Candidate(origin: .managed, place: .memory, value: value, file: file))
            }
        }
        for layer in contents.layers {
            add(.managed, layer.explained, layer.locked[key])
        }
        if let flags = contents.arguments.flags[key], let flag = flags.last {
            let counting = traits?.takesAllFlags == true ? flags[...] : flags.suffix(1)
            let texts = counting.compactMap { $0.text.raw(isFlag: traits?.isFlag ?? false) }
            all.append(
                Candidate(
                    origin: .arguments, place: .argument(index: flag.index, flag: flag.spelling),
                    value: argument(key), bare: texts.isEmpty ? nil : texts.joined(separator: ","),
                    refusal: traits?.argument?.refusal))
        }
        if let variable = contents.environment[key], traits?.leavesOutVariable != true {
            all.append(
                Candidate(
                    origin: .environment, place: .variable(variable.name), value: self.variable(key),
                    bare: variable.text.text, refusal: traits?.variable?.refusal))
        }
        add(.transient, .memory, contents.transient[key])
        add(.stored, .memory, stored)
        for layer in contents.layers {
            if let text = layer.texts[key] {
                all.append(
                    Candidate(
                        origin: .registered, place: layer.explained(at: text.path),
                        value: value(of: key, in: layer), bare: text.text.text,
                        refusal: traits?.files[layer.name]?.refusal))
                continue
            }
            for part in layer.parts {
                add(.registered, layer.explained(at: part.place), part.values[key])
            }
            guard layer.parts.isEmpty else { continue }
            add(.registered, layer.explained, layer.values[key])
        }
        add(.registered, .registration, contents.registered[key])
        return all
    }

    /// Returns the value that counts for a key that the program cannot set: neither what is stored nor a transient
    /// value takes part.
    package func firstUnset(_ key: KeyName) -> StoredValue? {
        let values = candidates(key, stored: nil).filter { $0.origin != .transient }.compactMap(\.value)
        let merge = merge(of: key)
        return merge == .replace ? values.first : merge.combined(values)
    }
}

extension Result where Success == StoredValue, Failure == DefaultsError {
    /// Why there is no value.
    fileprivate var refusal: DefaultsError? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

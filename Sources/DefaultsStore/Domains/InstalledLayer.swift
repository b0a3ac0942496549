/// Everything that one source of default values has supplied, replaced as a whole: a layer of the registration
/// domain, and the values that it locks, which are part of the managed domain.
package struct InstalledLayer: Sendable {
    /// A suite has one layer for each name.
    package let name: String
    let values: LayerValues
    /// The files that they are from, the highest first, if they are from several; `values` then has the highest of each
    /// key.
    var parts: [Part] = []
    /// The texts that the values are read from, if they have no type until a key gives them one.
    var texts: [KeyName: FileText] = [:]
    var isSecret = false
    /// They take precedence over everything except the administrator's file.
    let locked: LayerValues
    /// The path or URL that they came from, if the source names one.
    package let location: String?
    /// The age when they were loaded here.
    let ageThen: Duration
    /// On the monotonic clock.
    let loaded: UInt64
    /// When the source was asked for them, on the same clock.
    let asked: UInt64
    /// Whether they were kept on disk by an earlier start, and the source has not answered since.
    package let isLastKnown: Bool

    /// What one file of several has.
    package struct Part: Sendable {
        let values: LayerValues
        let location: String
    }

    package var age: Duration {
        ageThen + .nanoseconds(Int64(clamping: SystemCalls.monotonicNanoseconds &- loaded))
    }

    var explained: DefaultsExplanation.Location { explained(at: location) }

    func explained(at location: String?) -> DefaultsExplanation.Location {
        isLastKnown ? .lastKnown(name, location, age: age) : .source(name, location, age: age)
    }
}

extension InstalledLayer {
    fileprivate var isPlain: Bool { parts.isEmpty && texts.isEmpty }
}

extension DomainStack {
    func isSecret(_ key: KeyName) -> Bool {
        contents.layers.contains { layer in
            let names = layer.isSecret ? [key] + (contents.traits[key]?.forms.map(\.name) ?? []) : []
            return names.contains { layer.values[$0] != nil || layer.locked[$0] != nil }
        }
    }

    func value(of key: KeyName, in layer: InstalledLayer) -> StoredValue? {
        guard !layer.texts.isEmpty, let text = layer.texts[key] else { return layer.values[key] }
        guard let reading = contents.traits[key]?.files[layer.name] else { return text.text.untyped }
        return reading.found
    }

    /// Returns the same list with one more layer on top, or with a layer replaced.
    ///
    /// A layer that was asked for before the one in place changes nothing: its question was overtaken.
    ///
    /// - Parameter keepsPlace: whether an existing layer keeps its position among the others.
    func setting(_ layer: InstalledLayer, keepsPlace: Bool) -> DomainStack {
        guard !isOvertaken(layer) else { return self }
        return changing { contents in
            contents.fileNames = FileNames()
            let present = contents.layers.firstIndex { $0.name == layer.name }
            if !layer.texts.isEmpty || present.map({ !contents.layers[$0].texts.isEmpty }) == true {
                contents.additions += 1
            }
            if keepsPlace, let present {
                contents.layers[present] = layer
            } else {
                if let present { contents.layers.remove(at: present) }
                contents.layers.insert(layer, at: 0)
            }
        }
    }

    private func isOvertaken(_ layer: InstalledLayer) -> Bool {
        contents.layers.contains { $0.name == layer.name && $0.asked > layer.asked }
    }

    /// Each once; nil if they are not known.
    func keysTouched(by layer: InstalledLayer, keepsPlace: Bool) -> [KeyName]? {
        guard !isOvertaken(layer) else { return [] }
        guard let place = contents.layers.firstIndex(where: { $0.name == layer.name }) else {
            return Array(Set(layer.values.keys + layer.locked.keys))
        }
        // A value may be the same and mean something else, together with those of other files or to a type.
        guard layer.isPlain, contents.layers[place].isPlain else { return nil }
        // A layer that moves to the front takes precedence over values that it was behind.
        guard keepsPlace || place == 0 else { return nil }
        let present = contents.layers[place]
        let differences = layer.values.differences(from: present.values)
        return Array(Set(differences + layer.locked.differences(from: present.locked)))
    }
}

/// What one source of default values has for a suite's keys, each value as its text.
///
/// A copy shares with the original what neither has changed: setting one value costs only that value, however many
/// there are, and so does finding out what has changed between the two.
package struct LayerValues: Sendable {
    private var texts = PersistentMap<KeyName, StoredValue>()
    /// Why no suite accepts some of the values.
    private var faults: [KeyName: DefaultsError] = [:]

    package init() {}

    package init(_ values: [String: DefaultsValue]) {
        for (name, value) in values { set(value, forKey: KeyName(name)) }
    }

    package subscript(key: KeyName) -> StoredValue? { texts.value(forKey: key) }

    /// A value that no file could hold is a fault; nil removes.
    @inline(never)
    package mutating func set(_ value: DefaultsValue?, forKey key: KeyName) {
        faults[key] = nil
        guard let value else { return texts.remove(key) }
        do throws(DefaultsError) {
            _ = try KeyName.validated(key.string)
            texts.set(try StoredValue.checked(value, forKey: key.string, in: nil), forKey: key)
        } catch {
            faults[key] = error
            texts.set(StoredValue(value), forKey: key)
        }
    }

    mutating func put(_ other: LayerValues) {
        for element in other.texts.elements { texts.set(element.value, forKey: element.key) }
    }

    /// In the order of the keys.
    package var refusals: [DefaultsError] {
        faults.isEmpty ? [] : faults.sorted(byName: \.key).map(\.value)
    }

    /// The values that a suite accepts.
    var sound: LayerValues {
        var sound = self
        for key in faults.keys { sound.set(nil, forKey: key) }
        return sound
    }

    var isEmpty: Bool { texts.isEmpty }

    /// In no order.
    package var keys: [KeyName] { texts.elements.map(\.key) }

    /// Of two names that are equal strings to Swift, the first by its bytes wins.
    package var dictionary: [String: DefaultsValue] {
        let elements = texts.elements
        let values = Dictionary(elements.map { ($0.key.string, $0.value.value) }) { first, _ in first }
        guard values.count < elements.count else { return values }
        let sorted = elements.sorted(byName: \.key)
        return Dictionary(sorted.map { ($0.key.string, $0.value.value) }) { first, _ in first }
    }

    func differences(from other: LayerValues) -> [KeyName] { texts.differences(from: other.texts) }
}

extension LayerValues: Hashable {
    package static func == (left: LayerValues, right: LayerValues) -> Bool {
        left.differences(from: right).allSatisfy { key in
            guard let left = left[key], let right = right[key] else { return false }
            return left.value == right.value
        }
    }

    /// Hashes the names.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(texts.elements.reduce(0) { $0 ^ $1.key.hashValue })
    }
}

extension LayerValues: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, DefaultsValue)...) {
        self.init()
        for (name, value) in elements { set(value, forKey: KeyName(name)) }
    }
}

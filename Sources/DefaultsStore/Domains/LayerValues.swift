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

    /// Returns the text of a key's value.
    package subscript(key: KeyName) -> StoredValue? { texts.value(forKey: key) }

    /// Sets a value, or removes it; one that no file could hold is a fault.
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

    /// Sets all values that another one has.
    mutating func put(_ other: LayerValues) {
        for element in other.texts.elements { texts.set(element.value, forKey: element.key) }
    }

    /// Why a suite does not accept some of the values, in the order of their keys.
    package var refusals: [DefaultsError] {
        faults.isEmpty ? [] : faults.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The values that a suite accepts.
    var sound: LayerValues {
        var sound = self
        for key in faults.keys { sound.set(nil, forKey: key) }
        return sound
    }

    /// Whether there is no value.
    var isEmpty: Bool { texts.isEmpty }

    /// The names of all values, in no order.
    package var keys: [KeyName] { texts.elements.map(\.key) }

    /// All values by name; of two names that are equal strings to Swift, the first by its bytes.
    package var dictionary: [String: DefaultsValue] {
        let elements = texts.elements
        let values = Dictionary(elements.map { ($0.key.string, $0.value.value) }) { first, _ in first }
        guard values.count < elements.count else { return values }
        let sorted = elements.sorted { $0.key < $1.key }
        return Dictionary(sorted.map { ($0.key.string, $0.value.value) }) { first, _ in first }
    }

    /// Returns the keys whose texts differ.
    func differences(from other: LayerValues) -> [KeyName] { texts.differences(from: other.texts) }
}

extension LayerValues: Hashable {
    /// Whether both have equal values under the same names.
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

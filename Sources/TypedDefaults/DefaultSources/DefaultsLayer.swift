public import DefaultsStore

/// Everything that one source supplies, put in place in one step: no observer sees part of it.
///
/// A source with many values keeps its last layer and changes a copy of it with ``set(_:forKey:)`` and
/// ``setLocked(_:forKey:)``. A suite then checks only the changed values.
public struct DefaultsLayer: Hashable, Sendable {
    private(set) var texts: LayerValues
    private(set) var lockedTexts: LayerValues
    /// The texts of values that have no type until a key gives them one.
    private(set) var fileTexts: [KeyName: FileText] = [:]
    /// Whether all values are secrets, as if their keys were declared so.
    ///
    /// Secrets are kept out of failures, explanations and printed changes.
    public var isSecret = false
    /// The location of the values and their state, as `explain(forKey:)` and errors show it.
    public var location: String?
    /// The age of the values when the layer was created; `explain(forKey:)` adds the time since.
    ///
    /// An invalid age, below zero or above 100,000 years, becomes the nearest valid one.
    public var age: Duration {
        didSet { age = Self.bounded(age) }
    }

    /// Creates a layer.
    ///
    /// - Parameters:
    ///   - values: the default values, below everything that is stored.
    ///   - locked: values that nobody may set.
    ///   - location: the file or address that has the values, for `explain(forKey:)` and errors.
    ///   - age: the age of the values.
    public init(
        _ values: [String: DefaultsValue], locked: [String: DefaultsValue] = [:], location: String? = nil,
        age: Duration = .zero
    ) {
        texts = LayerValues(values)
        lockedTexts = LayerValues(locked)
        self.location = location
        self.age = Self.bounded(age)
    }

    private static func bounded(_ age: Duration) -> Duration {
        min(max(age, .zero), .seconds(100_000 * 365 * 86_400))
    }

    /// The default values, below everything that is stored.
    ///
    /// - Cost: reading converts all values, and setting replaces all of them.
    public var values: [String: DefaultsValue] {
        get { texts.dictionary }
        set { (texts, fileTexts) = (LayerValues(newValue), [:]) }
    }

    /// Values that take precedence over everything except an administrator's file, and whose keys nobody may set.
    ///
    /// - Cost: reading converts all values, and setting replaces all of them.
    public var locked: [String: DefaultsValue] {
        get { lockedTexts.dictionary }
        set { lockedTexts = LayerValues(newValue) }
    }

    /// Sets or removes one default value, at the cost of one.
    ///
    /// ```swift
    /// var layer = DefaultsLayer(["volume": 0.8])
    /// layer.set(0.5, forKey: "volume")
    /// ```
    ///
    /// Names are compared by their bytes.
    public mutating func set(_ value: DefaultsValue?, forKey key: String) {
        texts.set(value, forKey: KeyName(key))
        fileTexts[KeyName(key)] = nil
    }

    /// Sets the text of a file as a default value.
    mutating func set(_ text: FileText, forKey key: KeyName) {
        texts.set(text.untyped, forKey: key)
        fileTexts[key] = text
    }

    /// Sets or removes one locked value, at the cost of one.
    ///
    /// ``set(_:forKey:)`` does this for a default value.
    public mutating func setLocked(_ value: DefaultsValue?, forKey key: String) {
        lockedTexts.set(value, forKey: KeyName(key))
    }
}

extension DefaultsLayer: CustomReflectable {
    /// The keys, the location and the age; values are left out, because one may be a secret.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "keys": texts.keys.map(\.string).sorted(), "locked": lockedTexts.keys.map(\.string).sorted(),
                "location": location as Any, "age": age,
            ], displayStyle: .struct)
    }
}

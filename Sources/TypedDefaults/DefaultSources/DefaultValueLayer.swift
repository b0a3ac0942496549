public import DefaultsStore

/// Everything that one source supplies, put in place in one step: no observer sees part of it.
///
/// A source with many values keeps its last layer and changes a copy of it with ``set(_:forKey:)`` and
/// ``setLocked(_:forKey:)``: then a suite checks only what has changed.
public struct DefaultValueLayer: Hashable, Sendable {
    private(set) var texts: LayerValues
    private(set) var lockedTexts: LayerValues
    /// The texts of values that have no type until a key gives them one.
    private(set) var fileTexts: [KeyName: FileText] = [:]
    /// Whether all values are secrets, as those of keys that are declared so: they are kept out of failures,
    /// explanations and changes that are printed.
    public var isSecret = false
    /// Where the values are and in what state, as `explain(key:)` and errors are to show it.
    public var place: String?
    /// How old the values were when the layer was created; `explain(key:)` counts on from that.
    ///
    /// An invalid age, below zero or above 100,000 years, becomes the nearest valid one.
    public var age: Duration {
        didSet { age = Self.bounded(age) }
    }

    /// Creates a layer.
    public init(
        _ values: [String: DefaultsValue], locked: [String: DefaultsValue] = [:], place: String? = nil,
        age: Duration = .zero
    ) {
        texts = LayerValues(values)
        lockedTexts = LayerValues(locked)
        self.place = place
        self.age = Self.bounded(age)
    }

    private static func bounded(_ age: Duration) -> Duration {
        min(max(age, .zero), .seconds(100_000 * 365 * 86_400))
    }

    /// The default values, below everything that is stored.
    ///
    /// - Cost: all of them are read, and all are written when it is set.
    public var values: [String: DefaultsValue] {
        get { texts.dictionary }
        set { (texts, fileTexts) = (LayerValues(newValue), [:]) }
    }

    /// Values that take precedence over everything except an administrator's file, and whose keys nobody may set.
    ///
    /// - Cost: all of them are read, and all are written when it is set.
    public var locked: [String: DefaultsValue] {
        get { lockedTexts.dictionary }
        set { lockedTexts = LayerValues(newValue) }
    }

    /// Sets one default value, or removes it, at the cost of that one.
    ///
    /// ```swift
    /// var layer = DefaultValueLayer(["volume": 0.8])
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

    /// Does the same for a locked value.
    public mutating func setLocked(_ value: DefaultsValue?, forKey key: String) {
        lockedTexts.set(value, forKey: KeyName(key))
    }
}

extension DefaultValueLayer: CustomReflectable {
    /// The keys, the place and the age: a value may be a secret key's, and so is not printed.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "keys": texts.keys.map(\.string).sorted(), "locked": lockedTexts.keys.map(\.string).sorted(),
                "place": place as Any, "age": age,
            ], displayStyle: .struct)
    }
}

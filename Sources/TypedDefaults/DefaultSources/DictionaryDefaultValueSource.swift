public import DefaultsStore

/// Default values in code.
///
/// ```swift
/// let shipped = DictionaryDefaultValueSource(["volume": 0.5, "theme": "light"], name: "shipped")
/// ```
public struct DictionaryDefaultValueSource: DefaultValueSource {
    /// Identifies the source within a suite.
    public let name: String
    private let values: [String: DefaultsValue]

    /// Creates a source of some values.
    ///
    /// - Parameter name: identifies the source; two of one name share a layer, so give a second dictionary a name of
    ///   its own.
    public init(_ values: [String: DefaultsValue], name: String = "dictionary") {
        self.values = values
        self.name = name
    }

    /// The values.
    public func defaultValues() async throws -> [String: DefaultsValue] { values }
}

extension DictionaryDefaultValueSource: CustomReflectable {
    /// The name and the keys: a value may be a secret key's, and so is not printed.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "keys": values.keys.sorted()], displayStyle: .struct)
    }
}

public import DefaultsStore

/// Default values in code.
///
/// ```swift
/// let shipped = DictionaryDefaultValueSource(
///     ["volume": 0.5, "theme": "light"], name: "shipped")
/// ```
public struct DictionaryDefaultValueSource: DefaultValueSource {
    /// Identifies the source within a suite.
    public let name: String
    private let values: [String: DefaultsValue]

    /// Creates a source of some values.
    ///
    /// - Parameters:
    ///   - values: the default values, by key.
    ///   - name: identifies the source. Two sources with one name share a layer, so give a second dictionary
    ///     another name.
    public init(_ values: [String: DefaultsValue], name: String = "dictionary") {
        self.values = values
        self.name = name
    }

    /// Returns the values.
    ///
    /// - Throws: nothing.
    public func defaultValues() async throws -> [String: DefaultsValue] { values }
}

extension DictionaryDefaultValueSource: CustomReflectable {
    /// The name and the keys; values are left out, because one may be a secret.
    @_documentation(visibility: internal)
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "keys": values.keys.sorted()], displayStyle: .struct)
    }
}

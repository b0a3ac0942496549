public import DefaultsStore

/// A schema of the settings file, for editors.
extension Defaults {
    /// Returns a JSON Schema (draft 2020-12) of a settings file with these keys: the types of their values, their
    /// bounds and allowed values, defaults and descriptions.
    ///
    /// ```swift
    /// enum Theme: String, Codable, CaseIterable, Sendable { case light, dark }
    ///
    /// let theme = Defaults.Key<Theme>("theme", default: .light, description: "How the window looks.")
    /// print(try Defaults.schema(of: [theme]))
    /// ```
    ///
    /// ``DefaultsStore/DefaultsSuite/writeSchema(of:to:allowsOtherKeys:addsReference:)`` saves it for editors.
    ///
    /// Of a rule (`validate:`) it has the bounds of numbers, and the allowed values if they are strings, numbers,
    /// Booleans or cases; what a function decides is not in it. A value that decodes and keeps its rule is never
    /// refused, with three exceptions: a type of your own whose default is an object is assumed always to be one; an
    /// enumeration's `allCases` is taken for all of them, so that a case which it leaves out is refused; and an
    /// allowed string has to be written with the same bytes, as an allowed number or a bound has with the same value
    /// before it is rounded. Of a key with a custom codec only the name, the description and the default are
    /// known. The default of a secret key is not in it.
    ///
    /// - Cost: encodes the defaults.
    /// - Parameter keys: the keys; of two of one name the first counts.
    /// - Parameter allowsOtherKeys: whether the file may have members of other names.
    /// - Throws: `.encodingFailed` if a default, or a value in a rule, cannot be written as JSON.
    public static func schema(
        of keys: [AnyKey], allowsOtherKeys: Bool = true
    ) throws(DefaultsError) -> DefaultsValue {
        let steps: DefaultsValue = ["type": "array", "items": ["type": "string"]]
        var properties: [DefaultsObject.Element] = [
            (DefaultsSuite.schemaKey, ["type": "string"]),
            (DefaultsSuite.migrationsKey, steps),
            (DefaultsSuite.migrationListsKey, ["type": "object", "additionalProperties": steps]),
        ]
        var known: Set<String> = []
        for key in keys {
            guard known.insert(key.name).inserted, let declaration = key.declaration else { continue }
            properties.append((key.name, .object(try property(of: key, declaration))))
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": .object(DefaultsObject(properties)),
            "additionalProperties": .bool(allowsOtherKeys),
        ]
    }

    private static func property(
        of key: AnyKey, _ declaration: KeyDeclaration
    ) throws(DefaultsError) -> DefaultsObject {
        let standard = try declaration.defaultText()?.value
        var schema = key.isCodable ? ValueSchema.of(declaration.type) : [:]
        schema = ValueSchema.narrowed(schema, by: try key.ruleSchema())
        if schema.isEmpty, key.isCodable, let members = standard?.object {
            schema = ValueSchema.ofObject(like: members)
        }
        var more: [DefaultsObject.Element] = []
        if let description = declaration.description { more.append(("description", .string(description))) }
        if declaration.isSecret {
            more.append(("writeOnly", true))
            schema = schema["properties"] == nil ? schema : ["type": "object"]
        } else if let standard {
            more.append(("default", standard))
        }
        return DefaultsObject(Array(schema) + more)
    }
}

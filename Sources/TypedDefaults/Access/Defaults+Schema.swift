public import DefaultsStore

/// A schema of the settings file, for editors.
extension Defaults {
    /// A JSON Schema (draft 2020-12) of a settings file with these keys: the types of their values, their defaults and
    /// descriptions, and the allowed values of enumerations.
    ///
    /// ```swift
    /// enum Theme: String, Codable, CaseIterable, Sendable { case light, dark }
    ///
    /// let theme = Defaults.Key<Theme>("theme", default: .light, description: "How the window looks.")
    /// let schema = try Defaults.schema(of: [theme])
    /// print(schema)                            // save it as settings.schema.json
    /// try DefaultsSuite.standard.set("./settings.schema.json", forKey: "$schema")
    /// ```
    ///
    /// Put where the file's `$schema` member says, it lets an editor complete and check the file as a person writes it,
    /// and `defaultsctl check --schema` checks it. A value that decodes is never refused, with one exception: a type of
    /// your own whose default is an object is taken to be one always. Of a key with a codec of its own only the name and
    /// the description are known. The default of a secret key is not in it. Rules (`validate:`) are not either.
    ///
    /// - Cost: encodes the defaults.
    /// - Parameter allowsOtherKeys: whether the file may have members of other names.
    /// - Throws: `.encodingFailed` where a default cannot be written as JSON.
    public static func schema(
        of keys: [AnyKey], allowsOtherKeys: Bool = true
    ) throws(DefaultsError) -> DefaultsValue {
        var properties: [DefaultsObject.Element] = [
            ("$schema", ["type": "string"]),
            (DefaultsSuite.migrationsKey, ["type": "array", "items": ["type": "string"]]),
        ]
        for key in keys {
            guard let declaration = key.declaration else { continue }
            properties.append((key.name, .object(try property(declaration, isCodable: key.isCodable))))
        }
        return [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": .object(DefaultsObject(properties)),
            "additionalProperties": .bool(allowsOtherKeys),
        ]
    }

    private static func property(
        _ declaration: KeyDeclaration, isCodable: Bool
    ) throws(DefaultsError) -> DefaultsObject {
        let standard = try declaration.defaultText()?.value
        var schema = isCodable ? ValueSchema.of(declaration.type) : [:]
        if schema.isEmpty, isCodable, let members = standard?.object {
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

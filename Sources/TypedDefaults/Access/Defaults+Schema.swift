public import DefaultsStore

/// A schema of the settings file, for editors.
extension Defaults {
    /// Returns a JSON Schema (draft 2020-12) of a settings file with these keys.
    ///
    /// It has the types of the values, their bounds and allowed values, defaults and descriptions.
    ///
    /// ```swift
    /// enum Theme: String, Codable, CaseIterable, Sendable { case light, dark }
    ///
    /// let theme = Defaults.Key<Theme>(
    ///     "theme", default: .light, description: "How the window looks.")
    /// print(try Defaults.schema(of: [theme]))
    /// ```
    ///
    /// ``DefaultsStore/DefaultsSuite/writeSchema(of:to:allowsOtherKeys:addsReference:)`` saves it for
    /// editors.
    ///
    /// Of a type of your own it has the members with their types, and which are required: those that neither the
    /// type nor the key's default supplies. The members are what the type asks a decoder for. To find them, each
    /// type decodes examples: the default, values without a member, and values of a wrong type. What these
    /// contradict is left out. So `init(from:)` should throw, and never trap, as with a file that a person has
    /// edited. A type that contains itself is described once.
    ///
    /// Of a validation (`validation:`) the schema has the bounds of numbers, and the allowed values if they are
    /// strings, numbers, Booleans or cases. A validation that is a function is not in it. Neither is what an
    /// `init(from:)` of your own refuses, nor a number that is too large for a `Double`, a `Decimal` or a `Duration`.
    ///
    /// The schema accepts every value that decodes and passes its validation. There are four exceptions:
    /// - A type whose `init(from:)` reads texts, numbers, lists or objects of an unusual form is assumed to read only
    ///   what examples have shown.
    /// - `allCases` of an enumeration is assumed to be complete, so a case that it leaves out is refused.
    /// - An allowed string has to have the same bytes, and an allowed number or a bound the same value before
    ///   rounding.
    /// - A `Decimal` is assumed to be a number.
    ///
    /// Of a key with a custom codec only the name, the description and the default are known. The default of
    /// a secret key is left out.
    ///
    /// - Cost: encodes the defaults; about a dozen decodings for each member of a type of your own.
    /// - Parameters:
    ///   - keys: the keys. Of two with one name the first is used.
    ///   - allowsOtherKeys: whether the file may have members of other names.
    /// - Throws: `.encodingFailed` if a default, or a value in a validation, cannot be written as JSON.
    public static func schema(
        of keys: [AnyKey], allowsOtherKeys: Bool = true
    ) throws(DefaultsError) -> DefaultsValue {
        let steps: DefaultsValue = ["type": "array", "items": ["type": "string"]]
        var properties: [DefaultsObject.Element] = [
            (KeyName.schema.string, ["type": "string"]),
            (KeyName.migrations.string, steps),
            (KeyName.migrationLists.string, ["type": "object", "additionalProperties": steps]),
            (
                KeyName.history.string,
                ["type": "object", "additionalProperties": ["type": "integer", "minimum": 1]]
            ),
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
        let learner = TypeSchema(like: standard, isMerged: declaration.merge == .deepMerge)
        var schema = key.isCodable ? learner.of(declaration.type) : [:]
        schema = ValueSchema.narrowed(schema, by: try key.ruleSchema())
        var more: [DefaultsObject.Element] = []
        if let description = declaration.description { more.append(("description", .string(description))) }
        if declaration.isSecret {
            more.append(("writeOnly", true))
            // The members of a dictionary may be those of the default.
            if schema["properties"] != nil { schema = ["type": schema["type"] ?? "object"] }
        } else if let standard {
            more.append(("default", standard))
        }
        return DefaultsObject(Array(schema) + more)
    }
}

/// The schema's file, for users who edit the settings file.
extension DefaultsSuite {
    /// Writes the JSON Schema of some keys into the folder of the settings file.
    ///
    /// An editor then completes and checks the settings as a user types them. `defaultsctl check` checks what
    /// is stored.
    ///
    /// ```swift
    /// enum Theme: String, Codable, CaseIterable, Sendable { case light, dark }
    ///
    /// let suite = DefaultsSuite.standard
    /// let theme = Defaults.Key<Theme>(
    ///     "theme", default: .light, description: "How the window looks.")
    /// // Writes settings.schema.json.
    /// try suite.writeSchema(of: [theme], addsReference: true)
    /// ```
    ///
    /// Call it as often as you like, for example at each start: a file with the same content is not written
    /// again. A different file is replaced as a whole, in one step.
    ///
    /// An editor finds the schema by the settings file's `$schema` member. `addsReference` adds that member,
    /// as the first one, unless the file has one already. This is a write like any other: comments, edits by
    /// hand and writes of other processes stay. A suite in memory has no file, hence no such member.
    ///
    /// - Cost: that of ``Defaults/schema(of:allowsOtherKeys:)``, and reads the schema's file. A file that differs is written and synced.
    /// - Parameters:
    ///   - keys: the keys; ``Defaults/schema(of:allowsOtherKeys:)`` says what the schema has of each.
    ///   - path: the schema's file. With nil it is `settings.schema.json` beside `settings.json`, and
    ///     likewise for any other name. A missing folder is created.
    ///   - allowsOtherKeys: whether the settings may have members of other names.
    ///   - addsReference: whether the settings file is to name the schema.
    /// - Returns: the path of the schema's file.
    /// - Throws: `.encodingFailed` if a default cannot be written as JSON. `.insecureDirectory`, `.readOnly`,
    ///   `.diskFull` or `.ioFailure` (also if a suite in memory is given no path), with the old schema still there.
    ///   For the reference also what `set(_:forKey:)` throws, and `.malformedFile` for a broken settings
    ///   file, which is left alone.
    @discardableResult
    public func writeSchema(
        of keys: [Defaults.AnyKey], to path: String? = nil, allowsOtherKeys: Bool = true,
        addsReference: Bool = false
    ) throws(DefaultsError) -> String {
        let schema = try Defaults.schema(of: keys, allowsOtherKeys: allowsOtherKeys)
        let place = try context.writeSchema(SchemaText.of(schema), to: path)
        // Last, so that it never names a file that is not there.
        if addsReference { try context.nameSchema(at: place) }
        return place
    }
}

/// The text of a schema's file: one line for each key, so that a diff shows which keys have changed.
private enum SchemaText {
    static func of(_ schema: DefaultsValue) -> [UInt8] {
        let members = (schema.object ?? [:]).map { name, value in
            let properties = name == "properties" ? value.object : nil
            return "  \(DefaultsValue.string(name)): " + (properties.map(lines) ?? value.description)
        }
        return Array("{\n\(members.joined(separator: ",\n"))\n}\n".utf8)
    }

    private static func lines(_ properties: DefaultsObject) -> String {
        let lines = properties.map { "    \(DefaultsValue.string($0.key)): \($0.value)" }
        return "{\n\(lines.joined(separator: ",\n"))\n  }"
    }
}

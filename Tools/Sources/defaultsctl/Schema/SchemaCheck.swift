@_spi(TypedDefaults) import DefaultsStore

/// What a schema says of the stored values of a suite.
struct SchemaCheck {
    let schema: Schema
    let suite: DefaultsSuite

    /// What is wrong, value by value; nothing where the file cannot be read, which has been said.
    func findings() throws -> [Finding] {
        let stored: DefaultsObject
        do { stored = try suite.storedObject() } catch {
            guard error.code == .malformedFile else { throw error }
            return []
        }
        let settings = DefaultsObject(stored.filter { isSetting($0.key) })
        let wrong = settings.flatMap { member in
            schema.objections(to: member).map {
                Finding(.warning, "schema", member.key, $0.reason(forKey: member.key), in: suite)
            }
        }
        let refused = Set(wrong.compactMap(\.key))
        let unknown = schema.unknownKeys(of: settings).filter { !refused.contains($0) }.enumerated()
            .map { place, key in
                // A hint compares the key with all others, and nobody reads more of them.
                let hint = place < 20 ? Nearest.hint(key, among: schema.keys) : ""
                return Finding(.note, "unknownKey", key, "the schema has no such key" + hint, in: suite)
            }
        return wrong + whole(settings) + schema.missing(in: stored).map { missing($0) } + unknown + keywords
    }

    private func isSetting(_ key: String) -> Bool { schema.isAsked(ofKey: key) }

    private func whole(_ settings: DefaultsObject) -> [Finding] {
        schema.reasons(against: settings).map {
            Finding(
                severity: .warning, category: "schema", path: suite.path ?? "", reason: "as a whole: \($0)")
        }
    }

    private func missing(_ key: String) -> Finding {
        Finding(
            severity: .warning, category: "schema", path: suite.path ?? "", key: key,
            reason: "the schema asks for this key")
    }

    private var keywords: [Finding] {
        schema.unknownKeywords.map { word in
            Finding(
                severity: .note, category: "schemaKeyword", path: suite.path ?? "",
                reason: "the schema's \(SafeText.name(word)) is not understood here, so it was not checked")
        }
    }
}

import DefaultsStore

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
        let wrong = stored.flatMap { member in
            schema.objections(to: member).map {
                finding(.warning, "schema", member.key, reason($0, member.key))
            }
        }
        let refused = Set(wrong.compactMap(\.key))
        let unknown = schema.unknownKeys(of: stored).filter { !refused.contains($0) }.map { key in
            finding(
                .note, "unknownKey", key, "the schema has no such key" + Nearest.hint(key, among: schema.keys)
            )
        }
        return wrong + schema.missing(in: stored).map { missing($0) } + unknown + keywords
    }

    private func reason(_ objection: Schema.Objection, _ key: String) -> String {
        objection.path == SafeText.name(key) ? objection.reason : "at \(objection.path): \(objection.reason)"
    }

    private func finding(
        _ weight: DefaultsFinding.Weight, _ kind: String, _ key: String, _ reason: String
    ) -> Finding {
        var finding = Finding(weight: weight, kind: kind, path: suite.path ?? "", key: key, reason: reason)
        for case .file(let path, let line, let column) in suite.explain(key: key).filter({
            $0.origin == .stored
        }).map(\.place)
        where path == suite.path {
            (finding.line, finding.column) = (line, column)
        }
        return finding
    }

    private func missing(_ key: String) -> Finding {
        Finding(
            weight: .warning, kind: "schema", path: suite.path ?? "", key: key,
            reason: "the schema asks for this key")
    }

    private var keywords: [Finding] {
        schema.unknownKeywords.map { word in
            Finding(
                weight: .note, kind: "schemaKeyword", path: suite.path ?? "",
                reason: "the schema's \(SafeText.name(word)) is not understood here, so it was not checked")
        }
    }
}

@_spi(TypedDefaults) import DefaultsStore

/// The schema that the settings name themselves, in their `$schema` member, as an editor finds it.
struct NamedSchema {
    let suite: DefaultsSuite

    /// What there is where the settings name a schema.
    enum Answer {
        /// They name none.
        case none
        /// It is not a file of this machine.
        case elsewhere
        case found(Schema)
        /// It cannot be used, and why.
        case unusable(String)
    }

    /// Reads the schema.
    func lookUp() -> Answer {
        reference.map(lookUp) ?? .none
    }

    /// Reads the schema that a member names, which may be one of another time.
    func lookUp(_ reference: DefaultsValue) -> Answer {
        guard let reference = reference.string else { return .unusable("it is no text") }
        guard let path = path(of: reference) else { return .elsewhere }
        do { return .found(try Schema(foreignFile: path)) } catch let failure as Failure {
            return .unusable(failure.message ?? "the schema cannot be read")
        } catch {
            return .unusable("the schema cannot be read: \(error)")
        }
    }

    /// The member that names it, also of a file of which only a part can be read.
    var reference: DefaultsValue? {
        do { return try suite.storedObject()[DefaultsSuite.schemaKey] } catch {
            // What keeps the settings from being read, the command itself says.
            let text = suite.explain(forKey: DefaultsSuite.schemaKey).first { $0.domain == .stored }?.text
            do { return try text.map { try DefaultsValue(json: $0) } } catch { return nil }
        }
    }

    /// What it says of the stored values; that it cannot be asked is a finding too.
    func findings() throws -> [Finding] {
        switch lookUp() {
        case .none: []
        case .elsewhere:
            [finding(.note, "the schema is not a file of this machine (--schema names a copy)")]
        case .unusable(let reason): [finding(.warning, reason)]
        case .found(let schema): try SchemaCheck(schema: schema, suite: suite).findings()
        }
    }

    private func finding(_ severity: DefaultsFinding.Severity, _ reason: String) -> Finding {
        Finding(
            severity, "namedSchema", DefaultsSuite.schemaKey, reason + ", so the values were not checked",
            in: suite)
    }

    /// What a key without a value is by the schema, or which key was meant.
    func hint(_ key: String, among stored: [String]) -> String {
        guard case .found(let schema) = lookUp() else { return Nearest.hint(key, among: stored) }
        guard let description = KeyDescription(key, in: schema) else {
            return Nearest.hint(key, among: stored + schema.keys)
        }
        return description.standard.map { "; the schema's default is \(JSONText.oneLine($0))" }
            ?? "; the schema has no default for it"
    }

    /// The file that a URI reference leads to from the settings file; nil for one that is elsewhere.
    private func path(of reference: String) -> String? {
        let local = reference.prefix { $0 != "#" && $0 != "?" }
        if local.lowercased().hasPrefix("file:") { return path(ofFileURI: local.dropFirst(5)) }
        // A colon before the first slash ends the name of a scheme.
        guard !local.prefix(while: { $0 != "/" }).contains(":"), !local.hasPrefix("//") else { return nil }
        return local.hasPrefix("/")
            ? decoded(local) : System.parent(of: suite.path ?? "") + "/" + decoded(local)
    }

    /// The path behind `file:`, which may have no machine in front of it, an empty one, or this one (RFC 8089).
    private func path(ofFileURI rest: Substring) -> String? {
        guard rest.hasPrefix("//") else { return rest.hasPrefix("/") ? decoded(rest) : nil }
        let machine = rest.dropFirst(2).prefix { $0 != "/" }
        guard machine.isEmpty || machine.lowercased() == "localhost" else { return nil }
        return decoded(rest.dropFirst(2 + machine.count))
    }

    /// The text with each `%XX` as the byte it stands for.
    private func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

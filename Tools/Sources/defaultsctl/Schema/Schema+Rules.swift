import DefaultsStore

/// The rules for one value: each says what it asks for, or nothing where it is content.
extension Schema {
    func kindReason(_ value: DefaultsValue, _ schema: DefaultsObject) -> String? {
        if let constant = schema["const"], constant != value {
            return "it has to be \(JSONText.oneLine(constant))"
        }
        if let all = schema["enum"]?.array, !hasChoice(value, all, schema) {
            let shown = all.prefix(20).map(JSONText.oneLine) + (all.count > 20 ? ["..."] : [])
            return "it has to be one of \(shown.joined(separator: ", "))"
        }
        let types = schema["type"]?.array ?? schema["type"].map { [$0] } ?? []
        guard !types.isEmpty, !types.contains(where: { Schema.isOf($0.string ?? "", value) }) else {
            return nil
        }
        return "it has to be of type \(types.compactMap(\.string).joined(separator: " or "))"
    }

    private static func isOf(_ type: String, _ value: DefaultsValue) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("number", .number), ("string", .string), ("array", .array),
            ("object", .object):
            true
        case ("integer", .number(let number)): isWhole(number)
        default: false
        }
    }

    /// Whether a number has no fraction; one too large for 128 bits has none that matters.
    private static func isWhole(_ number: DefaultsNumber) -> Bool {
        if number.exactly(Int128.self) != nil || number.exactly(UInt128.self) != nil { return true }
        guard let double = number.double else { return true }
        return double.magnitude > 1e38
    }

    static func numberReason(_ value: DefaultsValue, _ schema: DefaultsObject) -> String? {
        guard case .number(let number) = value else { return nil }
        let rules: [(name: String, words: String, isBroken: (Int) -> Bool)] = [
            ("minimum", "at least", { $0 < 0 }), ("maximum", "at most", { $0 > 0 }),
            ("exclusiveMinimum", "more than", { $0 <= 0 }), ("exclusiveMaximum", "less than", { $0 >= 0 }),
        ]
        for rule in rules {
            guard case .number(let bound)? = schema[rule.name], rule.isBroken(order(number, bound)) else {
                continue
            }
            return "it has to be \(rule.words) \(bound)"
        }
        return nil
    }

    /// Less than 0, 0, or more, as the one number is less than, equal to or greater than the other.
    private static func order(_ one: DefaultsNumber, _ other: DefaultsNumber) -> Int {
        if one == other { return 0 }
        if let one = one.exactly(Int128.self), let other = other.exactly(Int128.self) {
            return one < other ? -1 : 1
        }
        // One beyond every Double is beyond the other by its sign.
        let (left, right) = (Double(one.text) ?? 0, Double(other.text) ?? 0)
        return left < right ? -1 : left > right ? 1 : 0
    }

    static func textReason(_ value: DefaultsValue, _ schema: DefaultsObject) -> String? {
        guard let text = value.string else { return nil }
        if let least = schema["minLength"]?.int, text.unicodeScalars.count < least {
            return "it has to have at least \(least) characters"
        }
        if let greatest = schema["maxLength"]?.int, text.unicodeScalars.count > greatest {
            return "it has to have at most \(greatest) characters"
        }
        return formReason(text, schema)
            ?? schema["pattern"]?.string.flatMap { pattern in
                // Of numbers, it is for those that JSON has no number for.
                let isOfNumbers = schema["type"]?.array?.contains("number") == true
                return patternReason(text, pattern, orElse: isOfNumbers ? "be a number, or to " : "")
            }
    }

    /// What a format or an encoding asks for that the library writes; it holds for what a program reads.
    private static func formReason(_ text: String, _ schema: DefaultsObject) -> String? {
        let type: ValueType? =
            switch schema["format"]?.string {
            case "date-time": .date
            case "uuid": .uuid
            case "uri-reference": .url
            default: schema["contentEncoding"] == "base64" ? .data : nil
            }
        return type.flatMap { $0.isStored(text) ? nil : "it has to be \($0.form)" }
    }

    /// What a pattern asks for, however long that takes: `check` waits for five seconds.
    ///
    /// `Regex` cannot be stopped, and a limit to the text's length would keep nothing out: `^(a+)+$` takes a minute for
    /// twenty letters.
    private static func patternReason(
        _ text: String, _ pattern: String, orElse other: String
    ) -> String? {
        // `Regex` goes into brackets in brackets until the stack is full, at more than a thousand.
        guard pattern.utf8.count <= 500 else {
            return "the schema's pattern is longer than 500 bytes, so the value was not checked by it"
        }
        do {
            return try regex(pattern).firstMatch(in: text) == nil
                ? "it has to \(other)match \(SafeText.escaped(pattern))" : nil
        } catch {
            return "the schema's pattern \(SafeText.escaped(pattern)) cannot be understood"
        }
    }

    /// A pattern as the standard has it (ECMA-262): of scalars, not of what is seen as one character, and with digits and
    /// word characters of ASCII alone.
    private static func regex(_ pattern: String) throws -> Regex<AnyRegexOutput> {
        try Regex(pattern).matchingSemantics(.unicodeScalar).asciiOnlyDigits().asciiOnlyWordCharacters()
            .wordBoundaryKind(.simple)
    }

    static func listReason(_ value: DefaultsValue, _ schema: DefaultsObject) -> String? {
        guard let count = value.array?.count else { return nil }
        if let least = schema["minItems"]?.int, count < least {
            return "it has to have at least \(least) elements"
        }
        if let greatest = schema["maxItems"]?.int, count > greatest {
            return "it has to have at most \(greatest) elements"
        }
        return nil
    }

    /// What choices ask for; one with a keyword that is not understood may fit or not, and gets the benefit of the doubt.
    func choiceReason(_ value: DefaultsValue, _ schema: DefaultsObject) -> String? {
        func mayFit(_ choice: DefaultsValue) -> Bool { objections(to: value, choice, "").isEmpty }
        if let choices = schema["anyOf"]?.array, !choices.contains(where: mayFit) {
            return "it is none of what the schema lists (anyOf)"
        }
        if let choices = schema["oneOf"]?.array {
            // Each is asked once: asked twice on each level, a few dozen within each other would never be done.
            let fitting = choices.filter(mayFit)
            if fitting.isEmpty || fitting.filter(Schema.isUnderstood).count > 1 {
                return Schema.caseReason(choices)
                    ?? "it has to be exactly one of what the schema lists (oneOf)"
            }
        }
        if let other = schema["not"], Schema.isUnderstood(other), mayFit(other) {
            return "it is what the schema rules out (not)"
        }
        return nil
    }

    /// The names of which an object has to have one, as the schema of an enumeration with associated values says it.
    private static func caseReason(_ choices: [DefaultsValue]) -> String? {
        let others = choices.filter { $0 != ["type": "null"] }
        let names = others.compactMap { $0["required"]?[0]?.string }.filter { name in
            others.contains(["type": "object", "required": [.string(name)]])
        }
        guard names.count == others.count else { return nil }
        let shown = names.prefix(20).map(SafeText.name) + (names.count > 20 ? ["..."] : [])
        return "it has to have exactly one member of \(shown.joined(separator: ", "))"
    }
}

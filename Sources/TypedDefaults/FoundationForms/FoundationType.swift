import DefaultsStore

/// A type of Foundation that is stored in a more readable form than its own.
///
/// Foundation is not imported for it. Loading it takes a quarter of the run time of a small program, and a
/// program with a `Date` has loaded it already. The types are recognised by their names. The content of a
/// value comes from its own `Codable` form, which is stable because old archives depend on it.
enum FoundationType: String {
    case date = "Date"
    case data = "Data"
    case url = "URL"
    case uuid = "UUID"
    case decimal = "Decimal"
    case urlComponents = "URLComponents"
    case indexSet = "IndexSet"
    case characterSet = "CharacterSet"
    case calendar = "Calendar"
    case dateInterval = "DateInterval"
    /// The standard library's, which encodes itself as two integers.
    case duration = "Duration"

    /// The case of a type; nil if it is another type.
    init?(_ type: any Any.Type) {
        if type == Duration.self {
            self = .duration
            return
        }
        self.init(named: _typeName(type, qualified: true))
    }

    /// The case of a type by its whole name; nil for any other name.
    init?(named name: String) {
        // On Apple's systems it is a structure of C.
        if name == "__C.NSDecimal" {
            self = .decimal
            return
        }
        guard let module = Self.modules.first(where: name.hasPrefix) else { return nil }
        self.init(rawValue: String(name.dropFirst(module.count)))
    }

    /// The modules that declare the types: the first on Linux, the second on Apple's systems.
    private static let modules = ["FoundationEssentials.", "Foundation."]

    /// Encodes a value for a settings file.
    func encoded(_ value: some Encodable, at place: EncodingPlace) throws -> DefaultsValue {
        switch self {
        case .date: try DateForm.encoded(value, at: place)
        case .data: try DataForm.encoded(value, at: place)
        case .url: try URLForm.encoded(value, at: place)
        case .uuid: try place.encodeItself(value)
        case .urlComponents, .indexSet, .characterSet, .calendar, .dateInterval:
            try GuardedForm.encoded(value, self, at: place)
        case .decimal: DecimalForm.encoded(value)
        case .duration: try DurationForm.encoded(value, at: place)
        }
    }

    /// Decodes a value of this type from a settings file.
    func decoded<Value: Decodable>(_ type: Value.Type, by decoder: ValueDecoder) throws -> Value {
        switch self {
        case .date: try DateForm.decoded(type, by: decoder)
        case .data: try DataForm.decoded(type, by: decoder)
        case .url: try URLForm.decoded(type, by: decoder)
        case .uuid: try type.init(from: decoder)
        case .decimal: try DecimalForm.decoded(type, by: decoder)
        case .duration: try DurationForm.decoded(type, by: decoder)
        case .urlComponents, .indexSet, .characterSet, .calendar, .dateInterval:
            try GuardedForm.decoded(type, self, by: decoder)
        }
    }

    /// The schema, for editors and `defaultsctl`; most editors take a format for a hint.
    var schema: DefaultsObject {
        switch self {
        case .date: ["type": ["string", "number"], "format": "date-time"]
        case .data: ["type": "string", "contentEncoding": "base64"]
        case .url:
            [
                "type": ["string", "object"], "format": "uri-reference", "minLength": 1,
                "required": ["relative"],
            ]
        case .uuid: ["type": "string", "format": "uuid"]
        case .decimal: ["type": ["number", "string"], "pattern": "^NaN$"]
        case .urlComponents, .indexSet, .characterSet, .calendar, .dateInterval: ["type": "object"]
        case .duration:
            [
                "type": ["string", "number", "array"], "pattern": .string(DurationText.pattern),
                "examples": ["1h30m"],
                "minimum": .number(DefaultsNumber(Int64.min)), "maximum": .number(DefaultsNumber(Int64.max)),
                "items": ["type": "integer"], "minItems": 2, "maxItems": 2,
            ]
        }
    }
}

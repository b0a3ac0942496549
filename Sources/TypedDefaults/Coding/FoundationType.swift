import DefaultsStore

/// A type of Foundation whose values people want to read otherwise than Foundation writes them.
///
/// No Foundation is imported for it: to load one takes a program a quarter of the time in which it could have started
/// and ended, and who has a `Date` has loaded it anyway. The types are known by their names, and what is in a value
/// is asked of its own `Codable` form, which archives of many years hold on to.
enum FoundationType: String {
    case date = "Date"
    case data = "Data"
    case url = "URL"
    case uuid = "UUID"
    case decimal = "Decimal"
    case urlComponents = "URLComponents"
    case indexSet = "IndexSet"
    case characterSet = "CharacterSet"

    /// A type as one of these; nil where it is none.
    init?(_ type: any Any.Type) {
        let name = _typeName(type, qualified: true)
        guard let module = Self.modules.first(where: name.hasPrefix) else { return nil }
        self.init(rawValue: String(name.dropFirst(module.count)))
    }

    /// Where the types are declared: in the first on Linux, in the second on Apple's systems.
    private static let modules = ["FoundationEssentials.", "Foundation."]

    /// How a value is written in a settings file.
    func encoded(_ value: some Encodable, at place: EncodingPlace) throws -> DefaultsValue {
        switch self {
        case .date: try DateForm.encoded(value, at: place)
        case .data: try DataForm.encoded(value, at: place)
        case .url: try URLForm.encoded(value, at: place)
        case .uuid, .urlComponents, .indexSet, .characterSet: try place.encodeItself(value)
        case .decimal: DecimalForm.encoded(value)
        }
    }

    /// The value of this type that stands in a settings file.
    func decoded<Value: Decodable>(_ type: Value.Type, by decoder: ValueDecoder) throws -> Value {
        switch self {
        case .date: try DateForm.decoded(type, by: decoder)
        case .data: try DataForm.decoded(type, by: decoder)
        case .url: try URLForm.decoded(type, by: decoder)
        case .uuid: try type.init(from: decoder)
        case .decimal: try DecimalForm.decoded(type, by: decoder)
        case .urlComponents, .indexSet, .characterSet: try GuardedForm.decoded(type, self, by: decoder)
        }
    }

    /// The schema, for editors; a format is a hint to people and refuses nothing.
    var schema: DefaultsObject {
        switch self {
        case .date: ["type": ["string", "number"], "format": "date-time"]
        case .data: ["type": "string", "contentEncoding": "base64"]
        case .url: ["type": ["string", "object"], "format": "uri-reference"]
        case .uuid: ["type": "string", "format": "uuid"]
        case .decimal: ["type": ["number", "string"], "pattern": "^NaN$"]
        case .urlComponents, .indexSet, .characterSet: ["type": "object"]
        }
    }
}

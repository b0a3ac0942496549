import Configuration
import TypedDefaults

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A form that a provider may have a key's value in.
struct ConfigForm: Hashable, Sendable {
    /// What an answer stands for, where its type alone does not say it.
    private enum Spelling { case plain, numbers, json, bare }

    /// What the provider is asked for.
    let type: ConfigType
    private let spelling: Spelling

    private init(_ type: ConfigType, _ spelling: Spelling = .plain) {
        self.type = type
        self.spelling = spelling
    }

    private static let text = ConfigForm(.string)
    /// A text with JSON in it.
    private static let json = ConfigForm(.string, .json)
    /// A text that is JSON or stands for itself.
    private static let bare = ConfigForm(.string, .bare)

    /// Returns the forms of a key's values, the likeliest first, by what its JSON Schema says; never none.
    static func forms(of schema: DefaultsObject) -> [ConfigForm] {
        if let cases = schema["enum"]?.array { return forms(like: cases.filter { !$0.isNull }) ?? unknown }
        var kinds = schema["type"]?.array ?? [schema["type"]].compactMap(\.self)
        kinds.removeAll { $0 == "null" }
        let known = kinds.flatMap { forms(ofKind: $0, schema) }
        if !known.isEmpty { return known }
        return schema["default"].flatMap { forms(like: [$0]) } ?? unknown
    }

    /// What a type of which nothing is known may be.
    private static let unknown = [bare, ConfigForm(.int), ConfigForm(.double)]

    private static func forms(ofKind kind: DefaultsValue, _ schema: DefaultsObject) -> [ConfigForm] {
        switch kind.string {
        case "boolean": [ConfigForm(.bool)]
        case "integer": [ConfigForm(.int)]
        case "number": [ConfigForm(.double)]
        case "string": [schema["contentEncoding"] == "base64" ? ConfigForm(.bytes) : text]
        case "array": lists(of: schema["items"]?.object ?? [:]) + [json]
        case "object": [json]
        default: []
        }
    }

    /// Returns the forms of values that are all like some; nil if those are too different.
    private static func forms(like values: [DefaultsValue]) -> [ConfigForm]? {
        if values.isEmpty { return nil }
        if values.allSatisfy({ $0.string != nil }) { return [text] }
        if values.allSatisfy({ $0.bool != nil }) { return [ConfigForm(.bool)] }
        if values.allSatisfy({ $0.double != nil }) { return [ConfigForm(.int), ConfigForm(.double)] }
        return values.allSatisfy { $0.array != nil || $0.object != nil } ? [json] : nil
    }

    /// Returns the forms of arrays whose elements keep a schema.
    private static func lists(of element: DefaultsObject) -> [ConfigForm] {
        if element["type"] == "array" {
            return isByte(element["items"]?.object ?? [:]) ? [ConfigForm(.byteChunkArray, .numbers)] : []
        }
        if isByte(element) { return [ConfigForm(.bytes, .numbers), ConfigForm(.intArray)] }
        return forms(of: element).compactMap { form in
            switch form {
            case text: ConfigForm(.stringArray)
            case ConfigForm(.int): ConfigForm(.intArray)
            case ConfigForm(.double): ConfigForm(.doubleArray)
            case ConfigForm(.bool): ConfigForm(.boolArray)
            case ConfigForm(.bytes): ConfigForm(.byteChunkArray)
            default: nil
            }
        }
    }

    private static func isByte(_ schema: DefaultsObject) -> Bool {
        schema["type"] == "integer" && schema["minimum"] == 0 && schema["maximum"] == 255
    }

    /// Returns an answer in the key's stored form; nil for one that is not in this form.
    func value(of content: ConfigContent) -> DefaultsValue? {
        switch (type, content) {
        case (.string, .string(let text)): return value(of: text)
        case (.int, .int(let number)): return DefaultsValue(number)
        case (.double, .double(let number)): return DefaultsValue(number)
        case (.bool, .bool(let truth)): return DefaultsValue(truth)
        case (.bytes, .bytes(let bytes)): return value(of: bytes)
        case (.stringArray, .stringArray(let list)): return .array(list.map(DefaultsValue.string))
        case (.intArray, .intArray(let list)): return .array(list.map { DefaultsValue($0) })
        case (.doubleArray, .doubleArray(let list)): return .array(list.map { DefaultsValue($0) })
        case (.boolArray, .boolArray(let list)): return .array(list.map(DefaultsValue.bool))
        case (.byteChunkArray, .byteChunkArray(let list)): return .array(list.map(value(of:)))
        default: return nil
        }
    }

    private func value(of bytes: [UInt8]) -> DefaultsValue {
        spelling == .numbers ? .array(bytes.map { DefaultsValue($0) }) : .string(base64(bytes))
    }

    private func value(of text: String) -> DefaultsValue? {
        guard spelling != .plain else { return .string(text) }
        do { return try DefaultsValue(json: text) } catch {
            return spelling == .bare ? .string(text) : nil
        }
    }
}

/// Bytes as `Data` is stored.
private func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

import Configuration
import TypedDefaults

extension ConfigContent {
    /// Reads a setting as a type of configuration; nil if it is of another one.
    init?(_ value: DefaultsValue, as type: ConfigType) {
        let content: ConfigContent? =
            switch type {
            case .string: value.string.map(ConfigContent.string)
            case .int: value.int.map(ConfigContent.int)
            case .double: value.real.map(ConfigContent.double)
            case .bool: value.bool.map(ConfigContent.bool)
            case .bytes: value.bytes.map(ConfigContent.bytes)
            case .stringArray: value.elements(\.string).map(ConfigContent.stringArray)
            case .intArray: value.elements(\.int).map(ConfigContent.intArray)
            case .doubleArray: value.elements(\.real).map(ConfigContent.doubleArray)
            case .boolArray: value.elements(\.bool).map(ConfigContent.boolArray)
            case .byteChunkArray: value.elements(\.bytes).map(ConfigContent.byteChunkArray)
            }
        guard let content else { return nil }
        self = content
    }
}

extension DefaultsValue {
    /// The number, also one that is not finite, which a key of `Double` stores as a word.
    fileprivate var real: Double? {
        switch string {
        case "NaN": .nan
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        default: double
        }
    }

    /// The bytes of a text in base64, as `Data` is stored, or of an array of numbers, as `[UInt8]` is.
    fileprivate var bytes: [UInt8]? {
        if let string { return ConfigBytesFromBase64StringDecoder.base64.decode(string) }
        return elements { $0.int.flatMap(UInt8.init(exactly:)) }
    }

    /// The elements of an array, if all are of one kind.
    fileprivate func elements<Element>(_ read: (DefaultsValue) -> Element?) -> [Element]? {
        guard let array else { return nil }
        let elements = array.compactMap(read)
        return elements.count == array.count ? elements : nil
    }

    /// What kind of value it is, for errors, which have no values in them.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        case .rawJSON: "text that no string can hold, or that is nested too deeply"
        }
    }
}

public import Foundation
public import TypedDefaults

extension DefaultsCodec where Value: NSObject & NSSecureCoding {
    /// The codec of objects that support secure coding: a keyed archive as base64 in a JSON string.
    ///
    /// The class of what is stored is looked at before anything is unarchived; another class is a value that does not
    /// decode, never a trap. Objects inside have to support secure coding too.
    ///
    /// Outside Apple's systems, of Foundation's own classes only texts, numbers, data, dates, UUIDs, URLs, `NSNull`,
    /// arrays, sets and dictionaries are stored and read, and dictionaries with nothing but these in them, because
    /// many others end the program on an archive that somebody has changed. Arrays and dictionaries are neither keys
    /// nor in sets, because Foundation ends the program when it compares such collections. A class of your own that hands
    /// Foundation's archiver one of those, such as an `NSError`, may still trap there, in its own `encode(with:)`.
    public static func secureCoding() -> DefaultsCodec {
        DefaultsCodec(
            encode: { try ArchiveText.text(of: $0) },
            decode: { try ArchiveText.object(of: $0, as: Value.self) })
    }
}

extension DefaultsCodec {
    /// The codec of objects that support secure coding and may be missing: `null` stands for none.
    public static func secureCoding<Object: NSObject & NSSecureCoding>() -> DefaultsCodec
    where Value == Object? {
        DefaultsCodec(
            encode: { try $0.map(ArchiveText.text) ?? Array("null".utf8) },
            decode: { text in
                try text.elementsEqual("null".utf8) ? nil : ArchiveText.object(of: text, as: Object.self)
            })
    }
}

/// Between objects and the JSON text of their archives.
private enum ArchiveText {
    /// Archives an object.
    static func text<Object: NSObject & NSSecureCoding>(of object: Object) throws -> [UInt8] {
        if let refusal = ArchiveInspector.refusal(of: object) { throw refusal }
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        let inspector = ArchiveInspector()
        archiver.delegate = inspector
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        if let refusal = inspector.refusal { throw refusal }
        let archive = Array(archiver.encodedData)
        let text = Array("\"\(Base64.text(of: archive))\"".utf8)
        // What this writes it has to be able to read.
        _ = try ArchiveText.object(of: text, as: Object.self)
        return text
    }

    /// Unarchives an object.
    static func object<Object: NSObject & NSSecureCoding>(
        of text: [UInt8], as type: Object.Type
    ) throws -> Object {
        let quote = UInt8(ascii: "\"")
        guard text.count >= 2, text.first == quote, text.last == quote,
            let archive = Base64.bytes(of: text[1..<(text.count - 1)].filter { $0 != UInt8(ascii: "\\") })
        else { throw ArchiveClasses.Refusal(description: "expected an archive in base64") }
        try ArchiveClasses(archive).check(for: type)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(archive))
        // Where it is required, the unarchiver traps on an object inside that has another class than its owner
        // expects; all classes of the archive support secure coding, which is what it would look at.
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        let object = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        unarchiver.finishDecoding()
        if let error = unarchiver.error { throw error }
        guard let object = object as? Object else {
            throw ArchiveClasses.Refusal(description: "the archive does not hold a whole \(type)")
        }
        return object
    }
}

/// Looks at each object before it is archived, because the archiver traps on a class it cannot name.
private final class ArchiveInspector: NSObject, NSKeyedArchiverDelegate {
    private(set) var refusal: ArchiveClasses.Refusal?

    func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
        guard let present = Self.refusal(of: object) else { return object }
        refusal = refusal ?? present
        // Not nil, on which swift-corelibs-foundation traps; nobody keeps the archive.
        return NSString()
    }

    /// Why an object is not archived; what is in Foundation's collections is looked at too, because the archiver asks
    /// for their elements' hashes first, and some of Foundation's trap on that.
    static func refusal(of object: Any) -> ArchiveClasses.Refusal? {
        var seen = Set<ObjectIdentifier>()
        var waiting = [object]
        while let next = waiting.popLast() {
            if let type = type(ofArchived: next) {
                guard seen.insert(ObjectIdentifier(next as AnyObject)).inserted else { continue }
                if let reason = objection(to: type) {
                    return ArchiveClasses.Refusal(
                        description: "the class \(String(reflecting: type)) \(reason)")
                }
            }
            switch next {
            case let list as NSArray: waiting += list.map { $0 }
            case let set as NSSet:
                let elements = set.map { $0 }
                if elements.contains(where: hasNoHash) { return unhashable }
                waiting += elements
            case let dictionary as NSDictionary:
                let keys = dictionary.allKeys
                if keys.contains(where: hasNoHash) { return unhashable }
                waiting += keys + dictionary.allValues
            // It becomes an object of this class there.
            case is Decimal: waiting.append(NSDecimalNumber.zero)
            default: break
            }
        }
        return nil
    }

    /// Whether Foundation's collections end the program when they compare an object by its hash.
    private static func hasNoHash(_ object: Any) -> Bool { object is NSArray || object is NSDictionary }

    private static let unhashable = ArchiveClasses.Refusal(
        description: "an array or a dictionary is a key of a dictionary, or in a set")

    /// The class that an archive would name: behind a number or a text stands one that nobody knows.
    private static func type(ofArchived object: Any) -> AnyClass? {
        guard let type = Swift.type(of: object) as? AnyClass, type != NSDecimalNumber.self else {
            return object is NSDecimalNumber ? NSDecimalNumber.self : nil
        }
        return (object as? NSObject)?.classForKeyedArchiver ?? type
    }

    private static func objection(to type: AnyClass) -> String? {
        if let objection = ArchiveShape.objection(to: type) { return objection }
        guard type is any NSCoding.Type else { return "does not support coding" }
        return hasName(type) ? nil : "stands inside another type or is generic, which no archive can name"
    }

    #if canImport(ObjectiveC)
        private static func hasName(_ type: AnyClass) -> Bool { true }
    #else
        /// Whether a class and those above it are called by module and name alone.
        private static func hasName(_ type: AnyClass) -> Bool {
            let parts = String(reflecting: type).split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 2 && !parts[1].contains("<") && (_getSuperclass(type).map(hasName) ?? true)
        }

        func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {}
        func archiver(
            _ archiver: NSKeyedArchiver, willReplace object: Any?, withObject newObject: Any?
        ) {}
        func archiverWillFinish(_ archiver: NSKeyedArchiver) {}
        func archiverDidFinish(_ archiver: NSKeyedArchiver) {}
    #endif
}

public import Foundation
public import TypedDefaults

extension DefaultsCodec where Value: NSObject & NSSecureCoding {
    /// The codec of objects that support secure coding: a keyed archive as base64 in a JSON string.
    ///
    /// The class of what is stored is looked at before anything is unarchived; another class is a value that does not
    /// decode, never a trap. Objects inside have to support secure coding too.
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
    static func text(of object: some NSObject & NSSecureCoding) throws -> [UInt8] {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        let inspector = ArchiveInspector()
        archiver.delegate = inspector
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        if let refusal = inspector.refusal { throw refusal }
        let archive = Array(archiver.encodedData)
        // What this writes it has to be able to read.
        try ArchiveClasses(archive).check(for: type(of: object))
        return Array("\"\(Base64.text(of: archive))\"".utf8)
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
        // Where it is required, the unarchiver traps on an object inside that has another class than its owner expects;
        // all classes of the archive support secure coding, which is what it would look at.
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
        guard let type = Swift.type(of: object) as? AnyClass, let reason = objection(to: type) else {
            return object
        }
        refusal =
            refusal ?? ArchiveClasses.Refusal(description: "the class \(String(reflecting: type)) \(reason)")
        // Not nil, on which swift-corelibs-foundation traps; nobody keeps the archive.
        return NSString()
    }

    private func objection(to type: AnyClass) -> String? {
        guard type is any NSCoding.Type else { return "does not support coding" }
        return hasName(type) ? nil : "stands inside another type or is generic, which no archive can name"
    }

    #if canImport(ObjectiveC)
        private func hasName(_ type: AnyClass) -> Bool { true }
    #else
        /// Whether a class and those above it are called by module and name alone.
        private func hasName(_ type: AnyClass) -> Bool {
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

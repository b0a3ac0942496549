public import Foundation
public import TypedDefaults

extension DefaultsCodec where Value: NSObject & NSSecureCoding {
    /// The codec of objects that support secure coding: a keyed archive as base64 in a JSON string.
    ///
    /// Equal objects that archive the same members have the same text in every process. So setting one again
    /// is no change, whether or not the class has an `isEqual(_:)`.
    ///
    /// The class is checked before anything is unarchived. Another class is a value that does not decode,
    /// never a trap. Objects inside have to support secure coding too.
    ///
    /// Outside Apple's systems only some of Foundation's own classes are stored and read: texts, numbers,
    /// data, dates, UUIDs, URLs, `NSNull`, arrays, sets and dictionaries. Dictionaries may contain nothing
    /// but these. Many other classes end the program on an archive that somebody has changed. Foundation also
    /// ends the program when it compares, archives or prints some objects of these classes, so they are
    /// refused:
    /// - more than one `NSNull`;
    /// - texts with the same characters in different scalars;
    /// - a date that is not a number;
    /// - a collection, or a URL with a base, as a key or in a set.
    ///
    /// A class of your own that passes one of these to Foundation's archiver, such as an `NSError`, may still
    /// trap there, in its own `encode(with:)`.
    ///
    /// An object may contain at most 100,000 others, each counted once for each reference, and 1,000
    /// collections, 16 of them directly inside one another. Foundation takes seconds to archive as many, and
    /// a small file whose references unfold to more would keep the program busy for ever.
    public static func secureCoding() -> DefaultsCodec {
        DefaultsCodec(
            encode: { try ArchiveText.text(of: $0) },
            decode: { try ArchiveText.object(of: $0, as: Value.self) })
    }
}

extension DefaultsCodec {
    /// The codec of objects that support secure coding and may be missing: nil is `null`.
    public static func secureCoding<Object: NSObject & NSSecureCoding>() -> DefaultsCodec
    where Value == Object? {
        DefaultsCodec(
            encode: { try $0.map(ArchiveText.text) ?? Array("null".utf8) },
            decode: { text in
                try text.elementsEqual("null".utf8) ? nil : ArchiveText.object(of: text, as: Object.self)
            })
    }
}

/// Conversion between objects and the JSON text of their archives.
private enum ArchiveText {
    static func text<Object: NSObject & NSSecureCoding>(of object: Object) throws -> [UInt8] {
        if let refusal = ArchiveInspector.refusal(of: object) { throw refusal }
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        let inspector = ArchiveInspector()
        archiver.delegate = inspector
        archiver.encode(object, forKey: NSKeyedArchiveRootObjectKey)
        archiver.finishEncoding()
        if let refusal = inspector.refusal { throw refusal }
        let archive = try checked(Array(archiver.encodedData), for: Object.self).inOrder.archive
        let text = Array("\"\(Base64.text(of: archive))\"".utf8)
        // The written text has to be readable.
        _ = try ArchiveText.object(of: text, as: Object.self)
        return text
    }

    static func object<Object: NSObject & NSSecureCoding>(
        of text: [UInt8], as type: Object.Type
    ) throws -> Object {
        guard
            let archive = try DefaultsValue(json: String(decoding: text, as: UTF8.self)).string
                .flatMap({ Base64.bytes(of: $0.utf8) })
        else { throw ArchiveRefusal(description: "expected an archive in base64") }
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(checked(archive, for: type).archive))
        // With secure coding required, the unarchiver traps on an object inside that has another class than
        // its owner expects. All classes of the archive support secure coding, which is what it would check.
        unarchiver.requiresSecureCoding = false
        unarchiver.decodingFailurePolicy = .setErrorAndReturn
        let object = unarchiver.decodeObject(forKey: NSKeyedArchiveRootObjectKey)
        unarchiver.finishDecoding()
        // The error's text may contain a value.
        guard unarchiver.error == nil, let object = object as? Object else {
            throw ArchiveRefusal(description: "the archive does not hold a whole \(type)")
        }
        return object
    }

    static let unequalHashes = ArchiveRefusal(
        description: """
            there is more than one NSNull in it, or texts of the same characters in different scalars, and these are \
            equal but have different hashes
            """)

    /// The table of an archive of an object of a class, in which every object can be unarchived safely.
    private static func checked(_ archive: [UInt8], for type: AnyClass) throws -> ArchiveTable {
        let table = try ArchiveTable(archive)
        let classes = try ArchiveClasses(table)
        try classes.check(for: type)
        var shape = ArchiveShape(table, classes.all)
        var unfolding = ArchiveUnfolding(table, isCollection: shape.isCollection)
        try unfolding.check()
        if let unsound = table.objects.indices.first(where: { !shape.isSound($0) }) {
            let name = table.className(of: unsound) ?? "no class"
            throw ArchiveRefusal(
                description: "an object of the class \(name) is not as Foundation writes it")
        }
        guard shape.areHashesSound() else { throw unequalHashes }
        return table
    }
}

/// Checks each object before it is archived, because the archiver traps on a class it cannot name.
private final class ArchiveInspector: NSObject, NSKeyedArchiverDelegate {
    private(set) var refusal: ArchiveRefusal?

    func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
        guard let present = Self.refusal(of: object) else { return object }
        refusal = refusal ?? present
        // Not nil, on which swift-corelibs-foundation traps; the archive is discarded.
        return NSString()
    }

    /// Why an object is not archived.
    ///
    /// The elements of Foundation's collections are checked too, because the archiver first requests their
    /// hashes, and some of Foundation's classes trap on that.
    static func refusal(of object: Any) -> ArchiveRefusal? {
        var seen = Set<ObjectIdentifier>()
        var texts = EqualTexts()
        var nulls = 0
        var waiting = [(object: object, depth: 0)]
        var (objects, collections) = (0, 0)
        while let (next, depth) = waiting.popLast() {
            if let type = type(ofArchived: next) {
                guard seen.insert(ObjectIdentifier(next as AnyObject)).inserted else { continue }
                if let reason = objection(to: type) {
                    return ArchiveRefusal(
                        description: "the class \(String(reflecting: type)) \(reason)")
                }
            }
            objects += 1
            let inside: [Any]
            switch next {
            case is NSNull:
                nulls += 1
                guard nulls < 2 else { return ArchiveText.unequalHashes }
                continue
            case let text as NSString:
                guard texts.take("\(text)") else { return ArchiveText.unequalHashes }
                continue
            case let list as NSArray: inside = list.map { $0 }
            case let set as NSSet:
                inside = set.map { $0 }
                if !inside.allSatisfy(isKey) { return noKey }
            case let dictionary as NSDictionary:
                let keys = dictionary.allKeys
                if !keys.allSatisfy(isKey) { return noKey }
                inside = keys + dictionary.allValues
            case is Decimal:
                // It becomes an object of this class there.
                waiting.append((NSDecimalNumber.zero, depth))
                continue
            default: continue
            }
            collections += 1
            guard objects + inside.count <= ArchiveUnfolding.most,
                collections <= ArchiveUnfolding.mostCollections, depth < ArchiveUnfolding.deepest
            else { return ArchiveUnfolding.tooLarge }
            waiting += inside.map { ($0, depth + 1) }
        }
        return nil
    }

    /// Whether an object can be a key or in a set, by the rule of ``ArchiveShape``.
    private static func isKey(_ object: Any) -> Bool {
        switch object {
        case is NSArray, is NSDictionary, is NSSet: false
        case let url as NSURL: url.baseURL == nil
        default: true
        }
    }

    private static let noKey = ArchiveRefusal(
        description: "a collection, or a URL with a base, is a key of a dictionary, or in a set")

    /// The class in the archive: a number or a text has a private one.
    private static func type(ofArchived object: Any) -> AnyClass? {
        guard let type = Swift.type(of: object) as? AnyClass, type != NSDecimalNumber.self else {
            return object is NSDecimalNumber ? NSDecimalNumber.self : nil
        }
        return (object as? NSObject)?.classForKeyedArchiver ?? type
    }

    private static func objection(to type: AnyClass) -> String? {
        if let objection = ArchiveShape.objection(to: type) { return objection }
        guard type is any NSCoding.Type else { return "does not support coding" }
        if hasName(type) { return nil }
        return String(reflecting: type).contains("(unknown context at ")
            ? "is private, or declared in a function, where no archive can name it; make it internal"
            : "stands inside another type or is generic, which no archive can name"
    }

    #if canImport(ObjectiveC)
        private static func hasName(_ type: AnyClass) -> Bool { true }
    #else
        /// Whether a class and its superclasses have names of module and type alone.
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

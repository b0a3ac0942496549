import Foundation
import TypedDefaults
import TypedDefaultsPropertyLists

/// The rules for Foundation's own classes in an archive, and for the content of their objects.
///
/// Outside Apple's systems many of them end the program on an archive that they would not have written, and
/// some when they are archived. So only classes are accepted that are known to be read safely with a given
/// content. A program's own classes are all accepted.
struct ArchiveShape {
    private enum Kind { case text, number, data, date, identifier, null, url, list, set, dictionary }

    #if canImport(ObjectiveC)
        /// Why objects of a class are neither archived nor unarchived; nil where they are.
        static func objection(to type: AnyClass) -> String? { nil }
    #else
        /// Why objects of a class are neither archived nor unarchived; nil where they are.
        static func objection(to type: AnyClass) -> String? {
            var ancestor: AnyClass? = type
            while let present = ancestor {
                let isKnown = present == NSObject.self || ancestor == type && kind(of: present) != nil
                if String(reflecting: present).hasPrefix("Foundation"), !isKnown {
                    return "is one of Foundation's that is not read safely from an archive"
                }
                ancestor = isKnown ? nil : _getSuperclass(present)
            }
            return nil
        }
    #endif

    private static func kind(of type: AnyClass) -> Kind? {
        if type == NSString.self || type == NSMutableString.self { return .text }
        if type == NSNumber.self { return .number }
        if type == NSData.self || type == NSMutableData.self { return .data }
        if type == NSDate.self { return .date }
        if type == NSUUID.self { return .identifier }
        if type == NSNull.self { return .null }
        if type == NSURL.self { return .url }
        if type == NSArray.self || type == NSMutableArray.self { return .list }
        if type == NSSet.self || type == NSMutableSet.self { return .set }
        if type == NSDictionary.self || type == NSMutableDictionary.self { return .dictionary }
        return nil
    }

    private let table: ArchiveTable
    private let classes: [Int: AnyClass]
    /// The results for objects in dictionaries, because many may refer to one.
    private var certain: [Int: Bool] = [:]

    /// - Parameter table: none of its objects refers to itself, directly or not.
    init(_ table: ArchiveTable, _ classes: [Int: AnyClass]) { (self.table, self.classes) = (table, classes) }

    /// Whether no two equal objects have different hashes.
    ///
    /// A dictionary may end the program on these, and the archiver puts all objects into one. Such are two
    /// objects that stand for null, and texts with the same characters in different scalars.
    func areHashesSound() -> Bool {
        var texts = EqualTexts()
        let nulls = table.objects.indices.filter { kind($0) == .null }
        return nulls.count < 2
            && table.objects.indices.lazy.compactMap { text($0) }.allSatisfy { texts.take($0) }
    }

    /// Whether an object is one of Foundation's collections.
    func isCollection(_ number: Int) -> Bool {
        switch kind(number) {
        case .list, .set, .dictionary: true
        default: false
        }
    }

    private func kind(_ number: Int) -> Kind? { classes[number].flatMap(ArchiveShape.kind) }

    /// Whether the content of an object is what its class reads safely.
    mutating func isSound(_ number: Int) -> Bool {
        guard let kind = kind(number) else { return true }
        let object = table.objects[number]
        switch kind {
        case .text: return object["NS.string"]?.string != nil
        case .number: return real(object["NS.number"]) != nil
        case .data: return object["NS.data"].map(isData) ?? false
        // A date of NaN ends the program when it is printed.
        case .date: return real(object["NS.time"]).map { !$0.isNaN } ?? false
        case .identifier:
            guard case .data(let bytes) = object["NS.uuidbytes"] else { return false }
            return bytes.count == 16
        case .null: return true
        case .url: return url(object) != nil
        case .list: return table.elements(object["NS.objects"]) != nil
        case .set: return table.elements(object["NS.objects"])?.allSatisfy(isKey) ?? false
        case .dictionary:
            // If one were not read, the numbers of keys and values would differ, and Foundation would read
            // beyond the end.
            guard let keys = table.elements(object["NS.keys"]),
                let values = table.elements(object["NS.objects"])
            else { return false }
            return keys.count == values.count && keys.allSatisfy(isKey) && areReadForCertain(keys + values)
        }
    }

    /// The number of a member; nil if it does not fit `Double` or `Int`, and Foundation does not read it.
    private func real(_ member: PropertyListValue?) -> Double? {
        switch member {
        case .bool(let bool): bool ? 1 : 0
        case .integer(let number): Int64(exactly: number).map(Double.init)
        case .real(let number): number
        default: nil
        }
    }

    private func isData(_ value: PropertyListValue) -> Bool {
        if case .data = value { true } else { false }
    }

    /// Whether an object can be a key of a dictionary, or in a set.
    ///
    /// `NSDictionary` and `NSSet` compare through Swift's, and in Swift neither an array of anything nor a
    /// dictionary has a hash. The hash of an `NSSet` is its count, so many of them take for ever. And a
    /// dictionary ends the program if it does not find its own key, because that is a URL which is another
    /// one in Swift.
    private func isKey(_ number: Int) -> Bool {
        switch kind(number) {
        case .list, .set, .dictionary: false
        case .url:
            table.reference(table.objects[number]["NS.base"]).map(table.isNone) ?? false
                && url(table.objects[number])?.absoluteString
                    == table.reference(table.objects[number]["NS.relative"]).flatMap(text)
        default: true
        }
    }

    /// The URL that Foundation creates when a collection returns an object; nil if it would end the program.
    ///
    /// `NSURL` accepts more texts.
    private func url(_ object: PropertyListValue) -> URL? {
        guard let text = table.reference(object["NS.relative"]).flatMap(text), !text.isEmpty,
            let number = table.reference(object["NS.base"])
        else { return nil }
        let base = classes[number] == NSURL.self ? url(table.objects[number]) : nil
        guard base != nil || table.isNone(number), let own = NSURL(string: text, relativeTo: base) else {
            return nil
        }
        // Foundation creates it from this text, which may differ from the archive's.
        let whole: String? = own.absoluteString
        return whole.flatMap { URL(string: $0, relativeTo: own.baseURL) }
    }

    /// The text of an object; nil for any other object.
    private func text(_ number: Int) -> String? {
        guard !table.isNone(number) else { return nil }
        return kind(number) == .text
            ? table.objects[number]["NS.string"]?.string : table.objects[number].string
    }

    private mutating func areReadForCertain(_ numbers: [Int]) -> Bool {
        for number in numbers {
            if let known = certain[number] {
                if known { continue }
                return false
            }
            let isCertain = isReadForCertain(number)
            certain[number] = isCertain
            if !isCertain { return false }
        }
        return true
    }

    /// Whether an object is certain to be read, whatever a program's own classes do.
    ///
    /// After one that is not, nothing more is read.
    private mutating func isReadForCertain(_ number: Int) -> Bool {
        switch table.objects[number] {
        case .string: return !table.isNone(number)
        case .bool, .integer, .real, .data: return true
        default: break
        }
        guard let kind = kind(number) else { return false }
        return kind == .list || kind == .set
            ? table.elements(table.objects[number]["NS.objects"]).map { areReadForCertain($0) } ?? false
            : isSound(number)
    }
}

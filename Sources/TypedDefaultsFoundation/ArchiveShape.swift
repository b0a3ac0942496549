import Foundation
import TypedDefaults

/// Which of Foundation's own classes an archive may hold, and what has to be inside their objects.
///
/// Outside Apple's systems many of them end the program when an archive holds what they would not have written, and
/// some when they are archived at all. So only those are let in whose reading is known to be safe with a given
/// content. Of a program's own classes all are.
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

    /// The archive's table of objects.
    let objects: [PropertyListValue]
    /// The class of each object that has one.
    let classes: [Int: AnyClass]
    /// What is known of objects that dictionaries refer to, since many may refer to one.
    private var certain: [Int: Bool] = [:]

    /// - Parameter objects: none of them refers to itself, by whatever way.
    init(objects: [PropertyListValue], classes: [Int: AnyClass]) {
        (self.objects, self.classes) = (objects, classes)
    }

    /// Whether what is inside an object is what its class reads safely.
    mutating func isSound(_ number: Int) -> Bool {
        guard let type = classes[number], let kind = ArchiveShape.kind(of: type) else { return true }
        let object = objects[number]
        switch kind {
        case .text: return object["NS.string"]?.string != nil
        case .number: return object["NS.number"].map(isNumber) ?? false
        case .data: return object["NS.data"].map(isData) ?? false
        case .date: return object["NS.time"].map(isNumber) ?? false
        case .identifier:
            guard case .data(let bytes) = object["NS.uuidbytes"] else { return false }
            return bytes.count == 16
        case .null: return true
        case .url: return url(object) != nil
        case .list: return elements(object["NS.objects"]) != nil
        case .set: return elements(object["NS.objects"]).map(areHashable) ?? false
        case .dictionary:
            // Were one not read, there would be fewer values than keys, or more, and Foundation reads beyond the end.
            guard let keys = elements(object["NS.keys"]), let values = elements(object["NS.objects"]) else {
                return false
            }
            return keys.count == values.count && areHashable(keys) && areReadForCertain(keys + values)
        }
    }

    private func isNumber(_ value: PropertyListValue) -> Bool {
        switch value {
        case .bool, .integer, .real: true
        default: false
        }
    }

    private func isData(_ value: PropertyListValue) -> Bool {
        if case .data = value { true } else { false }
    }

    /// The objects that a list refers to; nil where it is none.
    private func elements(_ list: PropertyListValue?) -> [Int]? {
        guard let list = list?.array else { return nil }
        let numbers = list.compactMap { $0.reference.flatMap { Int(exactly: $0) } }
        return numbers.count == list.count && numbers.allSatisfy(objects.indices.contains) ? numbers : nil
    }

    /// Whether objects can be keys of a dictionary, or in a set.
    ///
    /// `NSDictionary` and `NSSet` compare by way of Swift's, and in Swift neither an array of anything nor a
    /// dictionary has a hash.
    private func areHashable(_ numbers: [Int]) -> Bool {
        numbers.allSatisfy { number in
            let kind = classes[number].flatMap(ArchiveShape.kind)
            return kind != .list && kind != .dictionary
        }
    }

    /// The URL that Foundation makes of an object when a collection hands it out; nil where it makes none, on which it
    /// would end the program, though `NSURL` takes the text.
    private func url(_ object: PropertyListValue) -> URL? {
        guard let text = object["NS.relative"]?.reference.flatMap({ Int(exactly: $0) }).flatMap(text),
            !text.isEmpty, let number = object["NS.base"]?.reference.flatMap({ Int(exactly: $0) }),
            objects.indices.contains(number)
        else { return nil }
        let base = classes[number] == NSURL.self ? url(objects[number]) : nil
        guard base != nil || isNone(number), let own = NSURL(string: text, relativeTo: base) else {
            return nil
        }
        // From this text, which may be another than that of the archive, Foundation makes it.
        let whole: String? = own.absoluteString
        return whole.flatMap { URL(string: $0, relativeTo: own.baseURL) }
    }

    private func text(_ number: Int) -> String? {
        guard objects.indices.contains(number), !isNone(number) else { return nil }
        if classes[number].flatMap(ArchiveShape.kind) == .text { return objects[number]["NS.string"]?.string }
        return objects[number].string
    }

    /// Whether the place stands for no object.
    private func isNone(_ number: Int) -> Bool { objects[number].string == "$null" }

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

    /// Whether an object comes out of its place, whatever a program's own classes make of theirs: after one that does
    /// not, nothing more is read.
    private mutating func isReadForCertain(_ number: Int) -> Bool {
        switch objects[number] {
        case .string(let text): return text != "$null"
        case .bool, .integer, .real, .data: return true
        default: break
        }
        guard let kind = classes[number].flatMap(ArchiveShape.kind) else { return false }
        return kind == .list || kind == .set
            ? elements(objects[number]["NS.objects"]).map { areReadForCertain($0) } ?? false : isSound(number)
    }
}

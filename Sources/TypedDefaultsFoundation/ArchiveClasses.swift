import Foundation
import TypedDefaults

/// The classes a keyed archive names, found without unarchiving anything.
///
/// Outside Apple's systems the unarchiver traps on a class it was not told to expect, so it is only given archives
/// whose classes have been looked at.
struct ArchiveClasses {
    /// Why an archive is not unarchived; names classes, and no value.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private let objects: [PropertyListValue]
    private let root: PropertyListValue?

    /// Reads an archive's table of objects.
    init(_ archive: [UInt8]) throws {
        let list: PropertyListValue
        do { list = try PropertyListValue.read(archive) } catch { throw Refusal(description: error.reason) }
        // Of two members of a name Foundation takes the first, and what was looked at here would be the last.
        guard list.hasEachNameOnce else { throw Refusal(description: "a name stands in it twice") }
        guard list["$archiver"]?.string == "NSKeyedArchiver", list["$version"] == .integer(100_000),
            let objects = list["$objects"]?.array, let root = list["$top"]?["root"]?.reference
        else { throw Refusal(description: "it is no keyed archive") }
        self.objects = objects
        self.root = Int(exactly: root).flatMap { objects.indices.contains($0) ? objects[$0] : nil }
    }

    /// Checks that the archive holds an object of a class, and besides it only such as can be unarchived safely.
    ///
    /// Objects that hold one another in a ring are refused too: the unarchiver would go round for ever.
    func check(for expected: AnyClass) throws {
        guard let root, let found = try rootClass(root) else {
            throw Refusal(description: "the archive holds no object")
        }
        guard ArchiveClasses.isKind(found, of: expected) else {
            throw Refusal(description: "the archive holds an object of the class \(found), not \(expected)")
        }
        var classes: [Int: AnyClass] = [:]
        for (number, object) in objects.enumerated() { classes[number] = try secureClass(of: object) }
        try checkRings()
        var shape = ArchiveShape(objects: objects, classes: classes)
        guard let unsound = objects.indices.first(where: { !shape.isSound($0) }) else { return }
        let name = try className(of: objects[unsound]) ?? "no class"
        throw Refusal(description: "an object of the class \(name) is not as Foundation writes it")
    }

    /// The class of the outermost object; texts, numbers and data stand in the table themselves.
    private func rootClass(_ root: PropertyListValue) throws -> AnyClass? {
        switch root {
        case .string(let text): return text == "$null" ? nil : NSString.self
        case .bool, .integer, .real: return NSNumber.self
        case .data: return NSData.self
        default:
            guard let name = try className(of: root) else { return nil }
            guard let found = ArchiveClasses.named(name) else {
                throw Refusal(
                    description: "the archive holds an object of the class \(name), which is not there")
            }
            return found
        }
    }

    /// The name of an object's class; nil for what is a value itself.
    private func className(of object: PropertyListValue) throws -> String? {
        guard case .dictionary = object, let reference = object["$class"] else { return nil }
        guard let number = reference.reference.flatMap({ Int(exactly: $0) }),
            objects.indices.contains(number),
            let name = objects[number]["$classname"]?.string
        else { throw Refusal(description: "an object of the archive has no class") }
        return name
    }

    /// The class of an object, which has to support secure coding; nil for what is a value itself.
    private func secureClass(of object: PropertyListValue) throws -> AnyClass? {
        guard let name = try className(of: object) else { return nil }
        guard let found = ArchiveClasses.named(name) else {
            throw Refusal(description: "the archive holds an object of the class \(name), which is not there")
        }
        // Before the class is asked anything, because some trap on that.
        if let objection = ArchiveShape.objection(to: found) {
            throw Refusal(description: "the class \(name) \(objection)")
        }
        guard let secure = found as? any NSSecureCoding.Type, secure.supportsSecureCoding else {
            throw Refusal(description: "the class \(name) does not support secure coding")
        }
        return found
    }

    /// Goes through the objects each object refers to: each has to be there, and none may lead back to itself.
    private func checkRings() throws {
        var isOpen = Set<Int>()
        var isDone = Set<Int>()
        func visit(_ number: Int) throws {
            guard !isDone.contains(number) else { return }
            guard isOpen.insert(number).inserted, isOpen.count <= PropertyListValue.deepest else {
                throw Refusal(description: "the archive's objects hold one another in a ring, or too deep")
            }
            for next in try ArchiveClasses.references(in: objects[number]) {
                guard objects.indices.contains(next) else {
                    throw Refusal(description: "the archive refers to an object it does not hold")
                }
                try visit(next)
            }
            isOpen.remove(number)
            isDone.insert(number)
        }
        for number in objects.indices { try visit(number) }
    }

    private static func references(in value: PropertyListValue) throws -> [Int] {
        switch value {
        case .reference(let number): [Int(clamping: number)]
        case .array(let elements): try elements.flatMap(references)
        case .dictionary(let members): try members.flatMap { try references(in: $0.value) }
        default: []
        }
    }

    private static func named(_ name: String) -> AnyClass? {
        NSKeyedUnarchiver.class(forClassName: name) ?? NSClassFromString(name)
    }

    private static func isKind(_ found: AnyClass, of expected: AnyClass) -> Bool {
        var ancestor: AnyClass? = found
        while let present = ancestor {
            if present == expected { return true }
            ancestor = _getSuperclass(present)
        }
        return false
    }
}

extension PropertyListValue {
    /// Whether no dictionary in it has a name twice.
    fileprivate var hasEachNameOnce: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.hasEachNameOnce)
        case .dictionary(let members):
            Set(members.map(\.key)).count == members.count && members.allSatisfy(\.value.hasEachNameOnce)
        default: true
        }
    }
}

import Foundation
import TypedDefaults
import TypedDefaultsPropertyLists

/// The classes that a keyed archive names.
///
/// Outside Apple's systems the unarchiver traps on an unexpected class, so it only gets archives whose
/// classes have been checked.
struct ArchiveClasses {
    private let table: ArchiveTable
    /// The class of each object with a class; all of them support secure coding.
    let all: [Int: AnyClass]

    init(_ table: ArchiveTable) throws {
        self.table = table
        var all: [Int: AnyClass] = [:]
        for number in table.objects.indices {
            if let name = table.className(of: number) { all[number] = try ArchiveClasses.secure(name) }
        }
        self.all = all
    }

    /// Checks that the archive holds an object of a class.
    func check(for expected: AnyClass) throws {
        guard let found = rootClass else {
            throw ArchiveRefusal(description: "the archive holds no object")
        }
        guard ArchiveClasses.isKind(found, of: expected) else {
            throw ArchiveRefusal(
                description: "the archive holds an object of the class \(found), not \(expected)")
        }
    }

    /// The class of the outermost object; texts, numbers and data are in the table themselves.
    private var rootClass: AnyClass? {
        switch table.objects[table.root] {
        case .string: table.isNone(table.root) ? nil : NSString.self
        case .bool, .integer, .real: NSNumber.self
        case .data: NSData.self
        default: all[table.root]
        }
    }

    private static func secure(_ name: String) throws -> AnyClass {
        guard let found = named(name) else {
            throw ArchiveRefusal(
                description: "the archive holds an object of the class \(name), which is not there")
        }
        // Before any call to the class, because some trap on that.
        if let objection = ArchiveShape.objection(to: found) {
            throw ArchiveRefusal(description: "the class \(name) \(objection)")
        }
        guard let secure = found as? any NSSecureCoding.Type, secure.supportsSecureCoding else {
            throw ArchiveRefusal(description: "the class \(name) does not support secure coding")
        }
        return found
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

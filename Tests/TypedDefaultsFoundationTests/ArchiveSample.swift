import Foundation
import TypedDefaults
import TypedDefaultsPropertyLists

@testable import TypedDefaultsFoundation

/// A keyed archive, written object by object, as nobody's archiver writes it.
enum ArchiveSample {
    /// What stands in a binary property list.
    indirect enum Node {
        case text(String)
        case integer(Int)
        case real(Double)
        case data([UInt8])
        case flag(Bool)
        case date(Double)
        /// A reference to another object of the archive.
        case object(Int)
        case list([Node])
        case members([(String, Node)])
    }

    /// An object of a class; its members have what is inside.
    static func object(of classReference: Int, _ members: [(String, Node)] = []) -> Node {
        .members(members + [("$class", .object(classReference))])
    }

    /// What says which class objects have.
    static func type(_ name: String) -> Node {
        .members([("$classname", .text(name)), ("$classes", .list([.text(name), .text("NSObject")]))])
    }

    /// The archive of a table of objects, in base64; the outermost object is the second one, behind `$null`.
    static func base64(_ objects: [Node]) -> String {
        let root = Node.members([
            ("$archiver", .text("NSKeyedArchiver")), ("$version", .integer(100_000)),
            ("$top", .members([("root", .object(1))])), ("$objects", .list([.text("$null")] + objects)),
        ])
        return Data(BinaryPropertyListWriter.bytes(of: root.value)).base64EncodedString()
    }

    /// The archive of a ring that has an object beside it: the first of these objects, which is the fourth in the table.
    static func inRing(_ objects: [Node]) -> String {
        let ring = [
            object(of: 2, [("next", .object(0)), ("other", .object(4))]), type(NSStringFromClass(Ring.self)),
            .text(""),
        ]
        return base64(ring + objects)
    }
}

extension ArchiveSample.Node {
    fileprivate var value: PropertyListValue {
        switch self {
        case .text(let text): .string(text)
        case .flag(let flag): .bool(flag)
        case .integer(let number): .integer(Int128(number))
        case .real(let number): .real(number)
        case .data(let bytes): .data(bytes)
        case .date(let seconds): .date(seconds)
        case .object(let number): .reference(UInt64(number))
        case .list(let elements): .array(elements.map(\.value))
        case .members(let members):
            .dictionary(members.map { PropertyListValue.Member(key: $0.0, value: $0.1.value) })
        }
    }
}

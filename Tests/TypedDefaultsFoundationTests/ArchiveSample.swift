import Foundation

/// A keyed archive, written object by object, as nobody's archiver writes it.
enum ArchiveSample {
    /// What stands in a binary property list.
    indirect enum Node {
        case text(String)
        case integer(Int)
        case real(Double)
        case data([UInt8])
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
        var writer = Writer()
        let top = writer.add(root)
        return Data(writer.list(top)).base64EncodedString()
    }

    /// The archive of a ring that has an object beside it: the first of these objects, which is the fourth in the table.
    static func inRing(_ objects: [Node]) -> String {
        let ring = [
            object(of: 2, [("next", .object(0)), ("other", .object(4))]), type(NSStringFromClass(Ring.self)),
            .text(""),
        ]
        return base64(ring + objects)
    }

    /// Puts objects into a table; references to them take two bytes.
    private struct Writer {
        private var objects: [[UInt8]] = []

        mutating func add(_ node: Node) -> Int {
            let bytes: [UInt8] =
                switch node {
                case .text(let text): head(0x50, text.utf8.count) + Array(text.utf8)
                case .integer(let number): [0x13] + big(number, 8)
                case .real(let number): [0x23] + big(Int(bitPattern: UInt(number.bitPattern)), 8)
                case .data(let data): head(0x40, data.count) + data
                case .object(let number): [0x81] + big(number, 2)
                case .list(let elements): head(0xA0, elements.count) + elements.flatMap { big(add($0), 2) }
                case .members(let members):
                    head(0xD0, members.count) + members.flatMap { big(add(.text($0.0)), 2) }
                        + members.flatMap { big(add($0.1), 2) }
                }
            objects.append(bytes)
            return objects.count - 1
        }

        func list(_ top: Int) -> [UInt8] {
            var bytes = Array("bplist00".utf8)
            var table: [UInt8] = []
            for object in objects {
                table += big(bytes.count, 4)
                bytes += object
            }
            let trailer =
                [0, 0, 0, 0, 0, 0, 4, 2] + big(objects.count, 8) + big(top, 8) + big(bytes.count, 8)
            return bytes + table + trailer
        }

        private func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
            count < 15 ? [kind | UInt8(count)] : [kind | 0x0F, 0x13] + big(count, 8)
        }

        private func big(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
    }
}

import Foundation

/// A class that supports secure coding.
// Unchecked is sound because all members are immutable.
class Point: NSObject, NSSecureCoding, @unchecked Sendable {
    class var supportsSecureCoding: Bool { true }
    let x: Int
    let y: Int

    init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }

    required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "x") else { return nil }
        (x, y) = (coder.decodeInteger(forKey: "x"), coder.decodeInteger(forKey: "y"))
    }

    func encode(with coder: NSCoder) {
        coder.encode(x, forKey: "x")
        coder.encode(y, forKey: "y")
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Point else { return false }
        return (x, y) == (other.x, other.y)
    }

    override var hash: Int { x ^ y }
}

/// A subclass with a member more.
// Unchecked is sound because all members are immutable.
final class NamedPoint: Point, @unchecked Sendable {
    let label: String

    init(_ x: Int, _ y: Int, _ label: String) {
        self.label = label
        super.init(x, y)
    }

    required init?(coder: NSCoder) {
        label = coder.decodeObject(of: NSString.self, forKey: "label").map { "\($0)" } ?? ""
        super.init(coder: coder)
    }

    override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(NSString(string: label), forKey: "label")
    }
}

/// An object of other objects.
final class Line: NSObject, NSSecureCoding, Sendable {
    static let supportsSecureCoding = true
    let start: Point
    let end: Point
    let label: String

    init(_ start: Point, _ end: Point, _ label: String) {
        (self.start, self.end, self.label) = (start, end, label)
    }

    init?(coder: NSCoder) {
        guard let start = coder.decodeObject(of: Point.self, forKey: "start"),
            let end = coder.decodeObject(of: Point.self, forKey: "end"),
            let label = coder.decodeObject(of: NSString.self, forKey: "label")
        else { return nil }
        (self.start, self.end, self.label) = (start, end, "\(label)")
    }

    func encode(with coder: NSCoder) {
        coder.encode(start, forKey: "start")
        coder.encode(end, forKey: "end")
        coder.encode(NSString(string: label), forKey: "label")
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Line else { return false }
        return start == other.start && end == other.end && label == other.label
    }
}

/// An object of a collection, equal to no other one.
// Unchecked is sound because nobody changes the collection.
final class Bag: NSObject, NSSecureCoding, @unchecked Sendable {
    static let supportsSecureCoding = true
    let contents: NSDictionary

    init(_ contents: NSDictionary) { self.contents = contents }

    init?(coder: NSCoder) {
        guard let contents = coder.decodeObject(of: NSDictionary.self, forKey: "contents") else { return nil }
        self.contents = contents
    }

    func encode(with coder: NSCoder) { coder.encode(contents, forKey: "contents") }
}

/// Writes what a line would read otherwise: a text where it expects a point.
final class OddLine: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    private let point: Point

    init(_ point: Point) { self.point = point }
    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        coder.encode(NSUUID(), forKey: "start")
        coder.encode(point, forKey: "end")
        coder.encode(NSString("odd"), forKey: "label")
    }
}

/// A class that is `Codable` too.
final class Both: NSObject, NSSecureCoding, Codable, Sendable {
    static let supportsSecureCoding = true
    let number: Int

    init(_ number: Int) { self.number = number }
    init?(coder: NSCoder) { number = coder.decodeInteger(forKey: "number") }
    func encode(with coder: NSCoder) { coder.encode(number, forKey: "number") }
    override func isEqual(_ object: Any?) -> Bool { (object as? Both)?.number == number }
}

/// An object that can hold itself, and another of any class.
// Unchecked is sound because each test's ring stays on that test's thread.
final class Ring: NSObject, NSSecureCoding, @unchecked Sendable {
    static let supportsSecureCoding = true
    var next: Ring?
    var other: NSObject?

    override init() {}
    init?(coder: NSCoder) {
        next = coder.decodeObject(of: Ring.self, forKey: "next")
        other = coder.decodeObject(forKey: "other") as? NSObject
    }

    func encode(with coder: NSCoder) {
        coder.encode(next, forKey: "next")
        coder.encode(other, forKey: "other")
    }
}

/// A class that codes, but not securely.
final class Insecure: NSObject, NSCoding {
    override init() {}
    init?(coder: NSCoder) {}
    func encode(with coder: NSCoder) {}
}

/// A namespace with a class in it.
enum Outer {
    final class Inner: NSObject, NSSecureCoding, Sendable {
        static let supportsSecureCoding = true
        override init() {}
        init?(coder: NSCoder) {}
        func encode(with coder: NSCoder) {}
    }
}

extension Data {
    /// The same with some bits of a byte turned.
    func changing(_ place: Int, _ bits: UInt8) -> Data {
        var changed = self
        changed[place] ^= bits
        return changed
    }

    /// The same with an ASCII word in place of another of the same length.
    func replacingName(_ old: String, with new: String) -> Data {
        var changed = self
        while let range = changed.range(of: Data(old.utf8)) {
            changed.replaceSubrange(range, with: Data(new.utf8))
        }
        return changed
    }
}

import Testing

@testable import TypedDefaults

/// What a key can ask of an optional type while the program runs.
struct OptionalValueTests {
    private func isOptional(_ type: Any.Type) -> Bool { type is any OptionalValue.Type }

    private func outermostIsNil(_ value: some OptionalValue) -> Bool { value.isNil }

    @Test func `only optionals are optional values`() {
        #expect(isOptional(Optional<Int>.self))
        #expect(!isOptional(Int.self))
    }

    @Test(arguments: [(Int??.none, true), (.some(.none), false), (.some(.some(0)), false)])
    func `only the outermost nil is nil`(value: Int??, isNil: Bool) {
        #expect(outermostIsNil(value) == isNil)
    }

    @Test func `the nil inside an optional can be made`() {
        let (two, three) = (Optional<Int?>.someNil, Optional<Int??>.someNil)
        #expect(two == .some(.some(.none)))
        #expect(three == .some(.some(.none)))
        #expect(Optional<Int>.someNil == .none)
        #expect(Optional<Int?>.nilValue == .none)
    }

    private final class Thing: Sendable {}
    private struct Pair<First: Sendable>: Sendable { var first: First }
    private enum Plain { case one, two }
    private enum Loaded<Load> { case none, some(Load) }

    /// Those that a key of them has to find out about, however they are made up.
    @Test(
        arguments: [
            Int?.self, Int??.self, Bool???.self, String?.self, [Int]?.self, Thing?.self, Thing??.self,
            Pair<Int>?.self, Pair<Thing?>?.self, Plain?.self, Loaded<Int>?.self, (Int, String)?.self,
            (() -> Void)?.self,
            (any Error)?.self, Never?.self,
        ] as [Any.Type])
    func `every optional type is found to be one`(type: Any.Type) throws {
        let optional = try #require(optionalType(type))
        #expect(ObjectIdentifier(optional) == ObjectIdentifier(type))
    }

    @Test(
        arguments: [
            Int.self, String.self, [Int?].self, [String: Int?].self, Thing.self, Pair<Int?>.self, Plain.self,
            Loaded<Int?>.self, Never.self, Result<Int?, Never>.self, (any Error).self, (Int?, Int).self,
            (() -> Int?).self,
        ] as [Any.Type])
    func `no other type is`(type: Any.Type) { #expect(optionalType(type) == nil) }

    @Test func `a nil inside an existential is found`() {
        let none: any Sendable = Int?.none
        #expect(KeyCoding<any Sendable>.isNil(none))
        #expect(!KeyCoding<any Sendable>.isNil(1))
    }

    @Test func `values of class type and truth values are told behind any number of optionals`() {
        #expect(KeyCoding<Thing>.isOfClassType)
        #expect(KeyCoding<Thing??>.isOfClassType)
        #expect(!KeyCoding<Pair<Thing>>.isOfClassType)
        #expect(!KeyCoding<[Thing]>.isOfClassType)
        #expect(!KeyCoding<Int?>.isOfClassType)
        #expect(KeyCoding<Bool>.isTruth)
        #expect(KeyCoding<Bool???>.isTruth)
        #expect(!KeyCoding<Plain>.isTruth)
        #expect(!KeyCoding<Int?>.isTruth)
    }
}

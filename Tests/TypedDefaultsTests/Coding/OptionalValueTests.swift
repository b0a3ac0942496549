import Testing
import TypedDefaults

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
}

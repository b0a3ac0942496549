/// The values of enumerations, by the layout that Swift gives them.
import Testing
@testable import TypedDefaults

struct EnumerationCasesTests {
    private enum One { case only }
    private enum Three: String { case a = "x", b, c }
    private enum Key: String, CodingKey { case first = "1st", second }
    private enum Large: Int { case a = 70_000, b = -1 }
    private enum Generic<Value> { case a, b }
    private enum Payload { case a, b(Int), c }
    private struct Small { var byte: UInt8 = 0 }

    @Test func `each case is there once, in the order of the declaration`() {
        #expect(EnumerationCases.all(of: One.self) == [.only])
        #expect(EnumerationCases.all(of: Three.self) == [.a, .b, .c])
        #expect(EnumerationCases.all(of: Key.self)?.map(\.stringValue) == ["1st", "second"])
        #expect(EnumerationCases.all(of: Large.self)?.map(\.rawValue) == [70_000, -1])
        #expect(EnumerationCases.all(of: Generic<[String]>.self)?.count == 2)
        #expect(EnumerationCases.all(of: FloatingPointSign.self) == [.plus, .minus])
    }

    @Test func `a type that is no such enumeration has none`() {
        #expect(EnumerationCases.all(of: Payload.self) == nil)
        #expect(EnumerationCases.all(of: Never.self) == nil)
        #expect(EnumerationCases.all(of: Bool.self) == nil)
        #expect(EnumerationCases.all(of: Small.self) == nil)
        #expect(EnumerationCases.all(of: Bool?.self) == nil)
        #expect(EnumerationCases.all(of: Three?.self) == nil)
    }
}

/// What is said of the values of a type.
import Testing
@testable import TypedDefaults

struct ValueSchemaTests {
    private struct Sides: OptionSet, CaseIterable, Codable {
        static let allCases = [Sides(rawValue: 1), Sides(rawValue: 2)]
        let rawValue: Int
    }

    private struct Level: RawRepresentable, CaseIterable, Codable {
        static let allCases = [Level(rawValue: 1)]
        let rawValue: Int
    }

    private enum Theme: String, CaseIterable, Codable { case light, dark }

    @Test func `only an enumeration has no other values than the cases it lists`() {
        #expect(ValueSchema.of(Theme.self) == ["enum": ["light", "dark"]])
        #expect(ValueSchema.of(Sides.self) == [:])
        #expect(ValueSchema.of(Level.self) == [:])
    }
}

@testable import TypedDefaults
import Testing

/// The same types have other names on other systems, and the same form in the file.
struct FoundationNameTests {
    @Test(arguments: ["FoundationEssentials.Decimal", "Foundation.Decimal", "__C.NSDecimal"])
    func `a decimal is known by each of its names`(_ name: String) {
        #expect(FoundationType(named: name) == .decimal)
    }

    @Test(arguments: [
        "FoundationEssentials.Date", "Foundation.Date", "Foundation.Data", "Foundation.URL",
        "Foundation.UUID", "Foundation.URLComponents", "Foundation.IndexSet", "Foundation.CharacterSet",
        "Foundation.Calendar", "Foundation.DateInterval",
    ])
    func `so are the others by theirs`(_ name: String) {
        #expect(FoundationType(named: name)?.rawValue == name.split(separator: ".").last.map(String.init))
    }

    @Test(arguments: ["App.Decimal", "__C.NSDate", "NSDecimal", "Foundation.Decimal.Other", ""])
    func `no other type is`(_ name: String) {
        #expect(FoundationType(named: name) == nil)
    }
}

/// Values from JSON text.
import DefaultsStore
import TestSupport
import Testing

struct ValueFromJSONTests {
    @Test func `a text is the value it says, comments and trailing commas included`() throws {
        #expect(
            try DefaultsValue(json: " {\"a\": [1, true,], /* b */ \"c\": null} ") == [
                "a": [1, true], "c": nil,
            ])
    }

    @Test func `every digit is kept`() throws {
        let digits = "123456789012345678901234567890.12345678901234567890"
        #expect(try DefaultsValue(json: digits).description == digits)
    }

    @Test(arguments: [("", 1, 1), ("{\n  \"a\": oops}", 2, 8), ("1 2", 1, 3), ("[1", 1, 3)])
    func `what is no JSON is an error with its place`(text: String, line: Int, column: Int) {
        let error = refusal { _ = try DefaultsValue(json: text) }
        #expect(error?.code == .malformedText)
        #expect(error?.line == line && error?.column == column)
        #expect(error?.description.contains("at \(line):\(column)") == true)
    }
}

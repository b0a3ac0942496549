/// What must hold of any bytes that are read as a property list; run by tests and by `.ci/fuzz`.
import DefaultsStore
import TypedDefaults
import TypedDefaultsPropertyLists

enum PropertyListFuzzCheck {
    /// What does not hold, nil when everything does.
    static func objection(to input: [UInt8]) -> String? {
        let value: DefaultsValue
        do { value = try PropertyListValue.read(input).defaultsValue() } catch {
            return error.reason.isEmpty ? "a fault without a reason" : nil
        }
        guard !value.isDeeper(than: JSONScanner.deepest) else { return "it is nested too deep for a file" }
        do {
            let text = Array(StoredValue(value).bytes)
            return try StoredValue(validating: text).value == value ? nil : "it is another value as JSON"
        } catch {
            return "it is no JSON: \(error)"
        }
    }
}

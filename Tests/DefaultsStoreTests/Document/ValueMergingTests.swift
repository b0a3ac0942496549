/// What a program has changed, merged into what is stored.
@testable import DefaultsStore
import Testing

struct ValueMergingTests {
    @Test(arguments: [
        // stored, as it was read, as it is to be, stored then
        (#"{"w": 1, "depth": 3}"#, #"{"w": 1}"#, #"{"w": 2}"#, #"{"w": 2, "depth": 3}"#),
        (#"{"w": 1, "depth": 3}"#, #"{"w": 1}"#, #"{"w": 1}"#, #"{"w": 1, "depth": 3}"#),
        (#"{"w": 1, "t": "x", "depth": 3}"#, #"{"w": 1, "t": "x"}"#, #"{"w": 1}"#, #"{"w": 1, "depth": 3}"#),
        (#"{"depth": 3, "w": 1}"#, #"{"w": 1}"#, #"{"w": 1, "t": "x"}"#, #"{"depth": 3, "w": 1, "t": "x"}"#),
        // A member that was not there, and is read as its default, is not written.
        (#"{"w": 1, "depth": 3}"#, #"{"w": 1, "h": 600}"#, #"{"w": 2, "h": 600}"#, #"{"w": 2, "depth": 3}"#),
        (
            #"{"w": 1, "depth": 3}"#, #"{"w": 1, "h": 600}"#, #"{"w": 1, "h": 5}"#,
            #"{"w": 1, "depth": 3, "h": 5}"#
        ),
        // Null is nothing to the type, and stays.
        (#"{"w": 1, "t": null}"#, #"{"w": 1}"#, #"{"w": 2}"#, #"{"w": 2, "t": null}"#),
        (
            #"{"a": {"w": 1, "x": 1}, "y": 1}"#, #"{"a": {"w": 1}}"#, #"{"a": {"w": 2}}"#,
            #"{"a": {"w": 2, "x": 1}, "y": 1}"#
        ),
        (
            #"{"a": {"w": 1, "x": 1}, "y": 1}"#, #"{"a": {"w": 1}}"#, #"{"a": {}}"#,
            #"{"a": {"x": 1}, "y": 1}"#
        ),
        (#"{"a": {"w": 1, "x": 1}}"#, #"{"a": {"w": 1}}"#, #"{"a": [1]}"#, #"{"a": [1]}"#),
        // A spelling that the type does not have stays with what has not changed.
        (
            #"{"d": "2024-1-1", "w": 1, "x": 1}"#, #"{"d": "2024-01-01", "w": 1}"#,
            #"{"d": "2024-01-01", "w": 2}"#, #"{"d": "2024-1-1", "w": 2, "x": 1}"#
        ),
        // Elements of lists.
        (
            #"[{"n": 1, "x": 1}, {"n": 2, "x": 2}]"#, #"[{"n": 1}, {"n": 2}]"#, #"[{"n": 1}, {"n": 3}]"#,
            #"[{"n": 1, "x": 1}, {"n": 3}]"#
        ),
        (
            #"[{"id": 1, "x": 1}, {"id": 2, "x": 2}]"#, #"[{"id": 1}, {"id": 2}]"#, #"[{"id": 2, "n": 3}]"#,
            #"[{"id": 2, "x": 2, "n": 3}]"#
        ),
        (
            #"[{"n": 1, "x": 1}, {"n": 2, "x": 2}]"#, #"[{"n": 1}, {"n": 2}]"#, #"[{"n": 2}, {"n": 1}]"#,
            #"[{"n": 2, "x": 2}, {"n": 1, "x": 1}]"#
        ),
        (
            #"[{"n": 1, "x": 1}, {"n": 2, "x": 2}]"#, #"[{"n": 1}, {"n": 2}]"#, #"[{"n": 2}]"#,
            #"[{"n": 2, "x": 2}]"#
        ),
        (#"[{"n": 1, "x": 1}]"#, #"[{"n": 1}]"#, #"[{"n": 0}, {"n": 1}]"#, #"[{"n": 0}, {"n": 1, "x": 1}]"#),
        (
            #"{"l": [[1, {"n": 1, "x": 1}]]}"#, #"{"l": [[1, {"n": 1}]]}"#, #"{"l": [[2, {"n": 1}]]}"#,
            #"{"l": [[2, {"n": 1}]]}"#
        ),
        (
            #"[{"d": "2024-1-1", "x": 1}, {"d": "2025-1-1", "x": 2}]"#,
            #"[{"d": "2024-01-01"}, {"d": "2025-01-01"}]"#,
            #"[{"d": "2024-01-01"}, {"d": "2026-01-01"}, {"d": "2027-01-01"}]"#,
            #"[{"d": "2024-1-1", "x": 1}, {"d": "2026-01-01"}, {"d": "2027-01-01"}]"#
        ),
        // Read in another order, as a set: what an element has beside what was read may be another one's.
        (#"[{"n": 2, "x": 2}, {"n": 1, "x": 1}]"#, #"[{"n": 1}, {"n": 2}]"#, #"[{"n": 2}]"#, #"[{"n": 2}]"#),
        // Only some of them were read.
        (#"[1, "x", 2]"#, "[1, 2]", "[1, 2, 3]", "[1, 2, 3]"),
        ("1", "1", "2", "2"), (#""x""#, "1", "2", "2"),
    ])
    func `what the type does not know stays, and what it has changed is changed`(
        stored: String, before: String, after: String, expected: String
    ) throws {
        let result = try DefaultsValue(json: stored).merging(
            from: DefaultsValue(json: before), to: DefaultsValue(json: after))
        #expect(try result == DefaultsValue(json: expected))
    }
}

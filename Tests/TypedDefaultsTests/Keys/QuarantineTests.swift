@testable import DefaultsStore
import TestSupport
import Testing
import TypedDefaults

/// Stored values that their keys cannot use: the default is served, and they stay as they are.
@Suite(.ownThread) struct QuarantineTests {
    /// One value of another type, one against its validation, one that is fine.
    private static let text = """
        {
            "size": "big",
            "level": 11,
            "name": "Ann"
        }
        """

    private struct Keys {
        let size, level: Defaults.Key<Int>
        let name: Defaults.Key<String>

        init(_ suite: DefaultsSuite) {
            size = Defaults.Key("size", default: 12, suite: suite)
            level = Defaults.Key("level", default: 5, suite: suite, validation: .range(0...10))
            name = Defaults.Key("name", default: "none", suite: suite)
        }
    }

    private func withQuarantine(
        _ body: (Keys, DefaultsSuite, FailureRecorder, TemporaryFolder) throws -> Void
    ) throws {
        try withSettingsFile(QuarantineTests.text) { suite, failures, folder in
            try body(Keys(suite), suite, failures, folder)
        }
    }

    @Test func `values of another type and against the validation are served as the default`() throws {
        try withQuarantine { keys, suite, _, _ in
            #expect([Defaults[keys.size], Defaults[keys.level]] == [12, 5])
            #expect([suite[keys.size], suite[keys.level]] == [12, 5])
            #expect([suite.snapshot()[keys.size], suite.snapshot()[keys.level]] == [12, 5])
            #expect(Defaults[keys.name] == "Ann")
        }
    }

    @Test func `the throwing face says what is wrong, and the line and column of it`() throws {
        try withQuarantine { keys, suite, _, folder in
            #expect(
                refusal { _ = try suite.value(keys.size) }
                    == DefaultsError(
                        .typeMismatch, suite: "settings", key: "size", path: folder.settingsPath(), line: 2,
                        column: 13, underlyingDescription: "expected Int, found a string"))
            #expect(
                refusal { _ = try suite.value(keys.level) }
                    == DefaultsError(
                        .invalidValue, suite: "settings", key: "level", path: folder.settingsPath(), line: 3,
                        column: 14, underlyingDescription: "it is outside 0...10"))
        }
    }

    @Test func `the error's text is a sentence with a recovery suggestion and without the value`() throws {
        try withQuarantine { keys, suite, _, folder in
            #expect(
                refusal { _ = try suite.value(keys.size) }?.description == """
                    The value is not of its key's type (key "size", suite "settings") at \(folder.settingsPath()):2:13: \
                    expected Int, found a string. Correct the value where it stands; set or reset the key to replace a stored one.
                    """)
        }
    }

    @Test func `the place is that of now when the file has been edited`() throws {
        try withQuarantine { keys, suite, _, folder in
            #expect(refusal { _ = try suite.value(keys.size) }?.line == 2)
            try folder.edit("\n\n" + QuarantineTests.text)
            try suite.set(true, forKey: "marker")
            try suite.checkpoint()
            #expect(refusal { _ = try suite.value(keys.size) }?.line == 4)
        }
    }

    @Test func `problems lists them in file order with place, reason and text`() throws {
        try withQuarantine { _, suite, _, _ in
            #expect(
                suite.problems() == [
                    DefaultsProblem(
                        key: "size", domain: .stored, line: 2, column: 13, code: .typeMismatch,
                        reason: "expected Int, found a string",
                        text: #""big""#),
                    DefaultsProblem(
                        key: "level", domain: .stored, line: 3, column: 14, code: .invalidValue,
                        reason: "it is outside 0...10",
                        text: "11"),
                ])
        }
    }

    @Test func `the text of a secret key's value is in no problem`() throws {
        try withSettingsFile(#"{"token": 271828}"#) { suite, _, _ in
            let token = Defaults.Key<String>("token", default: "", suite: suite, secret: true)
            #expect(
                suite.problems() == [
                    DefaultsProblem(
                        key: token.name, domain: .stored, line: 1, column: 11, code: .typeMismatch,
                        reason: "expected String; no more is told, since the key is secret", text: nil)
                ])
        }
    }

    @Test func `each is reported once, however often and by whichever face it is read`() throws {
        try withQuarantine { keys, suite, failures, _ in
            for _ in 0..<3 { _ = Defaults[keys.size] }
            _ = (suite[keys.size], suite.snapshot()[keys.size], Defaults.isDefaultValue(keys.size))
            Defaults.observe(keys.size) { _ in }.invalidate()
            #expect(failures.codes == [.typeMismatch])
            _ = Defaults[keys.level]
            #expect(failures.codes == [.typeMismatch, .invalidValue])
        }
    }

    @Test func `a read that throws is no report`() throws {
        try withQuarantine { keys, suite, failures, _ in
            #expect(refusal { _ = try suite.value(keys.size) } != nil)
            #expect(failures.all == [])
        }
    }

    @Test func `their bytes stay when other keys are written`() throws {
        try withQuarantine { keys, _, _, folder in
            Defaults[keys.name] = "Bob"
            try #expect(
                folder.settings() == """
                    {
                        "size": "big",
                        "level": 11,
                        "name": "Bob"
                    }
                    """)
        }
    }

    @Test func `setting the key replaces the value`() throws {
        try withQuarantine { keys, suite, _, _ in
            Defaults[keys.size] = 13
            #expect(Defaults[keys.size] == 13)
            #expect(suite.problems().map(\.key) == ["level"])
        }
    }

    @Test func `resetting the key removes the value`() throws {
        try withQuarantine { keys, suite, _, _ in
            Defaults.reset(keys.size)
            try #expect(suite.storedValues() == ["level": 11, "name": "Ann"])
        }
    }

    @Test func `an access in place that changes nothing leaves the value in the file`() throws {
        try withQuarantine { keys, _, _, folder in
            Defaults[keys.size] += 0
            try #expect(folder.settings() == QuarantineTests.text)
        }
    }

    @Test func `a value set again after it was mended and damaged is reported again`() throws {
        try withQuarantine { keys, suite, failures, _ in
            _ = Defaults[keys.size]
            Defaults[keys.size] = 13
            try suite.setUnchecked("big", forKey: "size")
            _ = Defaults[keys.size]
            #expect(failures.codes == [.typeMismatch, .typeMismatch])
        }
    }

    @Test func `an element that does not decode makes the whole list undecodable`() throws {
        try withSettingsFile(#"{"list": [1, "2", 3]}"#) { suite, _, _ in
            let list = Defaults.Key<[Int]>("list", default: [], suite: suite)
            #expect(Defaults[list] == [])
            #expect(suite.problems().map(\.reason) == ["[1]: expected Int, found a string"])
        }
    }

    @Test func `a codec's own refusal is told in its words`() throws {
        try withSettingsFile(#"{"angle": "steep"}"#) { suite, _, _ in
            let angle = Defaults.Key<Angle>(
                "angle", default: Angle(degrees: 0), suite: suite, codec: Angle.codec)
            #expect(Defaults[angle].degrees == 0)
            #expect(
                refusal { _ = try suite.value(angle) }?.underlyingDescription
                    == "not a whole number of degrees")
        }
    }

    @Test func `a registered value that does not decode is served as the key's default`() {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let size = Defaults.Key<Int>("size", default: 12, suite: suite)
        suite.register(defaults: ["size": "big"])
        #expect(Defaults[size] == 12)
        #expect(failures.codes == [.typeMismatch])
    }

    @Test func `a value that is no value is decoded once in each state, not at each read`() throws {
        try withSettingsFile("{\n\"angle\": \"steep\"}") { suite, failures, folder in
            let count = Recorder<Void>()
            let codec = DefaultsCodec<Angle>(encode: Angle.codec.encode) { text in
                count.append(())
                return try Angle.codec.decode(text)
            }
            let angle = Defaults.Key<Angle>("angle", default: Angle(degrees: 0), suite: suite, codec: codec)
            for _ in 0..<100 { #expect(Defaults[angle].degrees == 0) }
            let first = count.all.count
            #expect(first <= 10)
            // Another state, in which its place is another one.
            try folder.edit("{\n\n\"angle\": \"steep\"}")
            #expect(eventually { refusal { _ = try suite.value(angle) }?.line == 3 })
            #expect(failures.codes == [.typeMismatch])
        }
    }
}

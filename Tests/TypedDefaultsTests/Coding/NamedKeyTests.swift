import TestSupport
import Testing
import TypedDefaults

/// Dictionaries whose keys are the cases of a string enumeration.
@Suite(.ownThread) struct NamedKeyTests {
    /// A key that encodes something else than its raw value.
    private enum Odd: String, Codable, Hashable, Sendable {
        case one

        init(from decoder: any Decoder) throws { self = .one }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(1)
        }
    }

    private static let minutes = DefaultsCodec<[Mood: Int]>.codable

    private func text(_ value: [Mood: Int]) throws -> String {
        String(decoding: try NamedKeyTests.minutes.encode(value), as: UTF8.self)
    }

    @Test func `they are written as an object, in the order of the names`() throws {
        try #expect(text([.merry: 5, .calm: 7]) == #"{"calm": 7, "merry": 5}"#)
        try #expect(text([:]) == "{}")
    }

    @Test(arguments: [#"{"merry": 5, "calm": 7}"#, #"["merry", 5, "calm", 7]"#])
    func `both forms are read`(_ text: String) throws {
        try #expect(NamedKeyTests.minutes.decode(Array(text.utf8)) == [.calm: 7, .merry: 5])
    }

    @Test func `a name that is no case is an error that names it`() throws {
        try withSettingsFile(#"{"minutes": {"glad": 1}}"#) { suite, failures, _ in
            let minutes = Defaults.Key<[Mood: Int]>("minutes", default: [.calm: 1], suite: suite)
            #expect(Defaults[minutes] == [.calm: 1])
            #expect(failures.codes == [.typeMismatch])
            #expect(failures.all[0].underlyingDescription?.hasPrefix("glad: ") == true)
        }
    }

    @Test func `an old list is read, and an object is written in its place`() throws {
        try withSettingsFile(#"{"minutes": ["merry", 5]}"#) { suite, failures, _ in
            let minutes = Defaults.Key<[Mood: Int]>("minutes", default: [:], suite: suite)
            Defaults[minutes][.calm] = 7
            try #expect(suite.storedValues() == ["minutes": ["calm": 7, "merry": 5]])
            #expect(failures.all == [])
        }
    }

    @Test func `members of several domains are merged, and what is assigned is meant whole`() throws {
        try withSettingsFile(#"{"minutes": {"merry": 3}}"#) { suite, failures, _ in
            let minutes = Defaults.Key<[Mood: Int]>(
                "minutes", default: [.calm: 1, .merry: 2], suite: suite, merge: .deepMerge)
            #expect(Defaults[minutes] == [.calm: 1, .merry: 3])
            Defaults[minutes] = [.merry: 4]
            #expect(Defaults[minutes] == [.merry: 4])
            try #expect(suite.storedValues() == ["minutes": ["calm": nil, "merry": 4]])
            #expect(failures.all == [])
        }
    }

    @Test func `a key that encodes another thing than its raw value stays in a list`() throws {
        let codec = DefaultsCodec<[Odd: Int]>.codable
        let text = try codec.encode([.one: 5])
        #expect(String(decoding: text, as: UTF8.self) == "[1, 5]")
        try #expect(codec.decode(text) == [.one: 5])
    }
}

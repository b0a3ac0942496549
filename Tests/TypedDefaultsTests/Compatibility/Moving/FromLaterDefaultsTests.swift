/// What sindresorhus/Defaults 4 to 9 have and 3 has not, one test for each thing that stays as it is.
import DefaultsStore
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

private struct User: Codable, Defaults.Serializable, Equatable { var name = "Ann", age = 30 }

private struct Pair<Part: Defaults.Serializable>: Defaults.Serializable { var left, right: Part }

private enum Level: Int, Codable, Defaults.Serializable, Defaults.PreferRawRepresentable {
    case low = 1
    case high = 10
}

private enum Mime: String, Defaults.Serializable { case json = "application/json" }

@Suite(.ownThread) struct FromLaterDefaultsTests {
    private let suite = DefaultsSuite.inMemory()

    @Test func `a Serializable type is stored as an object, alone and in collections`() throws {
        let users = Defaults.Key<[String: User]>("users", default: [:], suite: suite)
        Defaults[users]["first"] = User(name: "Bob")
        #expect(Defaults[users] == ["first": User(name: "Bob")])
        #expect(try suite.storedValues() == ["users": ["first": ["name": "Bob", "age": 30]]])
        let pair = Defaults.Key("pair", default: Pair(left: User(), right: User()), suite: suite)
        Defaults[pair].right.name = "Eve"
        #expect(Defaults[pair].right.name == "Eve")
    }

    @Test func `an enum is stored as its raw value, whether or not it prefers that`() throws {
        let level = Defaults.Key<Level>("level", default: .low, suite: suite)
        let mime = Defaults.Key<Mime?>("mime", suite: suite)
        Defaults[level] = .high
        Defaults[mime] = .json
        #expect(try suite.storedValues() == ["level": 10, "mime": "application/json"])
    }

    @Test func `a dictionary of any values takes literals`() {
        let magic = Defaults.Key<[String: Defaults.AnySerializable]>("magic", default: [:], suite: suite)
        Defaults[magic]["text"] = "a"
        Defaults[magic]["number"] = 3
        Defaults[magic]["truth"] = true
        #expect(Defaults[magic]["text"]?.string == "a")
        #expect(Defaults[magic] == ["text": "a", "number": 3, "truth": true])
    }

    @Test func `a key is reset, and says whether its value is the default`() {
        let count = Defaults.Key<Int>("count", default: 1, suite: suite)
        #expect(count.isDefaultValue)
        Defaults[count] = 2
        #expect(!count.isDefaultValue)
        count.reset()
        #expect(count.isDefaultValue)
        #expect(!suite.isSet(count))
    }
}

/// Steps of a migration that know the types.
import TestSupport
import Testing
import TypedDefaults

struct TypedMigrationTests {
    private let suite = DefaultsSuite.inMemory()

    @Test func `a value of one type becomes one of another, under a new key where one is named`() throws {
        try suite.set(50, forKey: "volume")
        try suite.set("calm", forKey: "mood")
        try suite.migrate([
            .transform("parts", from: "volume", as: Int.self, to: "loudness") { Double($0) / 100 },
            .transform("list", from: "mood", as: Mood.self) { [$0, .merry] },
            .transform("none", from: "other", as: Int.self) { $0 + 1 },
        ])
        #expect(
            try suite.storedValues()
                == ["loudness": 0.5, "mood": ["calm", "merry"], "$migrations": ["parts", "list", "none"]])
    }

    @Test func `a nil removes the value`() throws {
        try suite.set(50, forKey: "volume")
        try suite.migrate([.transform("r", from: "volume", as: Int.self) { $0 > 10 ? nil : $0 }])
        #expect(try suite.storedValues() == ["$migrations": ["r"]])
    }

    @Test func `a new key that is stored keeps its value, also where the old one would become nil`() throws {
        for key in ["volume", "mood"] { try suite.set("old", forKey: key) }
        for key in ["loudness", "humour"] { try suite.set("new", forKey: key) }
        try suite.migrate([
            .transform("v", from: "volume", as: String.self, to: "loudness") { $0 + "er" },
            .transform("m", from: "mood", as: String.self, to: "humour") { _ in String?.none },
        ])
        #expect(
            try suite.storedValues() == ["loudness": "new", "humour": "new", "$migrations": ["v", "m"]])
    }

    @Test func `a new key of the old one's name takes the new value`() throws {
        try suite.set(50, forKey: "volume")
        try suite.migrate([.transform("t", from: "volume", as: Int.self, to: "volume") { $0 + 1 }])
        #expect(try suite.storedValues()["volume"] == 51)
    }

    @Test func `a stored value of another type is refused with its key, and everything stays`() throws {
        try suite.set("loud", forKey: "volume")
        let steps: [DefaultsMigration] = [
            .remove("a", keys: "volume2"), .transform("t", from: "volume", as: Int.self) { $0 + 1 },
        ]
        let error = refusal { try suite.migrate(steps) }
        #expect(error?.code == .typeMismatch && error?.key == "volume")
        #expect(try suite.storedValues() == ["volume": "loud"])
    }

    @Test func `a new value that cannot be written is refused, and everything stays`() throws {
        try suite.set(1, forKey: "volume")
        let error = refusal {
            try suite.migrate([.transform("t", from: "volume", as: Int.self) { Unwritable(number: $0) }])
        }
        #expect(error?.code == .encodingFailed)
        #expect(try suite.storedValues() == ["volume": 1])
    }
}

import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// Whole settings of a suite that is migrated too.
@Suite(.ownThread) struct MigratedSettingsTests {
    /// A step that must not meet a value twice.
    private let steps: [DefaultsMigration] = [
        .transform("volume is percent", from: "volume", as: Double.self) { $0 * 100 }
    ]

    @Test(arguments: Place.allCases)
    private func `a migration before the first load leaves it the first one`(_ place: Place) throws {
        try inSuite(place) { suite in
            try suite.migrate(steps)
            _ = try firstLoadKeepingInitialValues()
        }
    }

    @Test(arguments: Place.allCases)
    private func `reset leaves the steps that were done, so that none is done again`(_ place: Place) throws {
        try inSuite(place) { suite in
            var settings = PlayerSettings()
            try settings.load()
            try suite.migrate(steps)
            try settings.reset()
            #expect(try suite.migrate(steps) == [])
            #expect(try suite.storedValues()["volume"] == 0.8)
        }
    }

    @Test(arguments: Place.allCases)
    private func `delete leaves the steps that were done, and the next load is a first one`(_ place: Place)
        throws
    {
        try inSuite(place) { suite in
            try suite.migrate(steps)
            try suite.migrate([], list: "empty")
            try suite.migrate([DefaultsMigration("none") { _ in }], list: "another's")
            var settings = PlayerSettings()
            try settings.load()
            try settings.delete()
            #expect(
                try suite.storedValues() == [
                    "$migrations": ["volume is percent"], "$migrationLists": ["another's": ["none"]],
                ])
            #expect(try settings.toDictionary() == [:])
            try settings.load()
            #expect(try settings.toDictionary()["lives"] == 3)
            #expect(try suite.migrate(steps) == [])
        }
    }

    @Test func `the steps in a file that comes with the program are no property`() throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{ "lives": 12, "$migrations": ["another's"] }"#, to: "shipped.json")
        try inSuite(.memory) { suite in
            try suite.migrate(steps)
            var settings = PlayerSettings()
            try settings.loadUsingSettingsFile(folder.path + "/shipped.json")
            #expect(settings == PlayerSettings(lives: 12))
            #expect(try suite.storedValues()["$migrations"] == ["volume is percent"])
        }
    }
}

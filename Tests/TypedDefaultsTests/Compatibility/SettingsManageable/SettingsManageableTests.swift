import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// Whole settings of a struct.
@Suite(.ownThread) struct SettingsManageableTests {
    @Test(arguments: Place.allCases)
    private func `what is updated is loaded again`(_ place: Place) throws {
        try inSuite(place) { _ in
            var settings = PlayerSettings()
            try settings.load()
            settings.lives = 5
            settings.nickname = "Ann"
            try settings.update()
            var again = PlayerSettings()
            try again.load()
            #expect(again == PlayerSettings(volume: 0.8, lives: 5, nickname: "Ann"))
        }
    }

    @Test(arguments: Place.allCases)
    private func `the first load stores the value`(_ place: Place) throws {
        try inSuite(place) { suite in
            var settings = PlayerSettings(lives: 9)
            try settings.load()
            #expect(settings == PlayerSettings(lives: 9))
            #expect(try suite.storedValues() == ["volume": 0.8, "lives": 9, "motto": "play"])
            #expect(try settings.toDictionary() == ["volume": 0.8, "lives": 9, "motto": "play"])
        }
    }

    @Test(arguments: Place.allCases)
    private func `reset returns to the values of the first load and stores them`(_ place: Place) throws {
        try inSuite(place) { suite in
            var settings = PlayerSettings(lives: 9)
            try settings.load()
            settings = PlayerSettings(volume: 0.1, lives: 1, nickname: "Ann", motto: nil)
            try settings.update()
            try settings.reset()
            #expect(settings == PlayerSettings(lives: 9))
            #expect(try suite.storedValues() == ["volume": 0.8, "lives": 9, "motto": "play"])
        }
    }

    @Test func `reset before the first load stores a new value`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings(lives: 9)
            try settings.reset()
            #expect(settings == PlayerSettings())
            #expect(try suite.storedValues()["lives"] == 3)
        }
    }

    @Test(arguments: Place.allCases)
    private func `delete removes what is stored, and the next load is a first one`(_ place: Place) throws {
        try inSuite(place) { suite in
            var settings = PlayerSettings()
            try settings.load()
            settings.lives = 5
            try settings.update()
            try settings.delete()
            #expect(try settings.toDictionary() == [:])
            #expect(settings.lives == 5)
            var again = PlayerSettings(lives: 4)
            try again.load()
            #expect(try suite.storedValues()["lives"] == 4)
            try again.reset()
            #expect(again.lives == 3)
        }
    }

    @Test func `update after delete stores every property`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.load()
            try settings.delete()
            try settings.update()
            #expect(try suite.storedValues() == ["volume": 0.8, "lives": 3, "motto": "play"])
        }
    }

    @Test func `a property that a later version adds has its default, and is stored when it is changed`()
        throws
    {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.load()
            var later = LaterSettings(level: 9)
            try later.load()
            #expect(later == LaterSettings(level: 9))
            later.level = 8
            try later.update()
            #expect(try suite.storedValues()["level"] == 8)
            #expect(try suite.storedValues()["lives"] == 3)
        }
    }

    @Test func `a property that becomes nil is removed, and is nil when it is loaded again`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings(nickname: "Ann")
            try settings.load()
            settings.nickname = nil
            settings.motto = nil
            try settings.update()
            #expect(try suite.storedValues() == ["volume": 0.8, "lives": 3])
            var again = PlayerSettings()
            try again.load()
            #expect(again == PlayerSettings(motto: nil))
        }
    }

    @Test(arguments: Place.allCases)
    private func `a property that a later version adds is nil again when it has become nil`(_ place: Place)
        throws
    {
        for badge in ["star", "moon"] {
            try inSuite(place) { suite in
                var settings = PlayerSettings()
                try settings.load()
                var later = LaterSettings()
                try later.load()
                later.badge = badge
                try later.update()
                later.badge = nil
                try later.update()
                var again = LaterSettings()
                try again.load()
                #expect(again == LaterSettings(badge: nil))
                again.level = 8
                try again.update()
                try later.load()
                #expect(later == LaterSettings(level: 8, badge: nil))
                try later.reset()
                #expect(later == LaterSettings())
            }
        }
    }

    @Test(arguments: Place.allCases)
    private func `a property that is nil before the first load is nil after it`(_ place: Place) throws {
        for motto in [nil, "work"] as [DefaultsValue?] {
            try inSuite(place) { suite in
                // Written by hand, or nothing at all.
                if let motto { try suite.set(motto, forKey: "motto") }
                let settings = PlayerSettings(lives: 7, motto: nil)
                try settings.update()
                var again = PlayerSettings()
                try again.load()
                #expect(again == PlayerSettings(lives: 7, motto: nil))
            }
        }
    }

    @Test func `what another process stores meanwhile stays, though this one has nil`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.load()
            var later = LaterSettings()
            try later.load()
            later.badge = nil
            try later.update()
            try suite.set("moon", forKey: "badge")
            later.level = 8
            try later.update()
            try later.load()
            #expect(later == LaterSettings(level: 8, badge: "moon"))
        }
    }

    @Test func `a property whose line is deleted by hand has its default`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.load()
            try suite.removeValue(forKey: "lives")
            try settings.load()
            #expect(settings == PlayerSettings())
        }
    }

    @Test(arguments: Place.allCases)
    private func `a value that is loaded again takes over what was removed meanwhile`(_ place: Place) throws {
        try inSuite(place) { suite in
            var settings = PlayerSettings()
            try settings.load()
            settings.lives = 5
            settings.nickname = "Ann"
            try settings.update()
            // As another process does whose properties have become nil, or somebody by hand.
            for key in ["lives", "nickname", "motto"] { try suite.removeValue(forKey: key) }
            var new = PlayerSettings()
            try new.load()
            try settings.load()
            #expect(settings == PlayerSettings(motto: nil))
            #expect(settings == new)
            settings.volume = 0.1
            try settings.update()
            #expect(try suite.storedValues() == ["volume": 0.1])
        }
    }

    @Test func `a value of a later version has a new one's property after the earlier one's reset`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.load()
            var later = LaterSettings()
            try later.load()
            (later.level, later.badge) = (8, "moon")
            try later.update()
            try settings.reset()
            try later.load()
            #expect(later == LaterSettings())
            later.volume = 0.1
            try later.update()
            #expect(try suite.storedValues() == ["volume": 0.1, "lives": 3, "motto": "play"])
        }
    }

    @Test func `update writes only what was changed since the type was loaded`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.load()
            try suite.set(7, forKey: "lives")
            settings.volume = 0.5
            try settings.update()
            #expect(try suite.storedValues() == ["volume": 0.5, "lives": 7, "motto": "play"])
        }
    }

    @Test func `an observer of one property hears its update and no other`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.load()
            let heard = Recorder<String>()
            let observations = ["volume", "lives"].map { key in
                suite.observe(forKey: key, options: [.new]) { change in
                    heard.append("\(change.key) \(change.newValue ?? nil)")
                }
            }
            settings.lives = 5
            try settings.update()
            #expect(heard.all == ["lives 5"])
            observations.forEach { $0.invalidate() }
        }
    }

    @Test func `a stored property of another type is named, and the value stays as it was`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.load()
            try suite.set("many", forKey: "lives")
            settings.volume = 0.1
            let error = refusal { try settings.load() }
            #expect(error?.code == .typeMismatch)
            #expect(error?.key == "lives")
            #expect(settings == PlayerSettings(volume: 0.1))
            #expect(try suite.storedValues()["lives"] == "many")
        }
    }

    @Test func `a value in a higher domain is loaded and not written`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.load()
            suite.addArguments(["--volume", "0.3"])
            try settings.load()
            #expect(settings.volume == 0.3)
            settings.lives = 5
            try settings.update()
            #expect(try suite.storedValues() == ["volume": 0.8, "lives": 5, "motto": "play"])
        }
    }

    @Test func `a property that an administrator has set does not keep the others from being loaded`() throws
    {
        let folder = try TemporaryFolder()
        try folder.write(#"{ "lives": 1 }"#, to: "managed.json")
        try inSuite(.file) { suite in
            try suite.setManagedFile(folder.path + "/managed.json")
            var settings = PlayerSettings()
            try settings.load()
            #expect(settings == PlayerSettings(lives: 1))
            settings.volume = 0.1
            try settings.update()
            settings.lives = 5
            #expect(refusal { try settings.update() }?.code == .locked)
        }
    }

    @Test func `the URL is that of the suite's file, and there is none in memory`() throws {
        try inSuite(.memory) { _ in #expect(PlayerSettings().settingsURL() == nil) }
        try inSuite(.file) { suite in
            let url = try #require(PlayerSettings().settingsURL())
            #expect(URL(string: url)?.path == suite.path)
            #expect(url.hasPrefix("file:///"))
        }
    }
}

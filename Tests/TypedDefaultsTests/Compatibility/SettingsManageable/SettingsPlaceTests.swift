import DefaultsStore
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// Where the settings of a type are that names no suite.
@Suite struct SettingsPlaceTests {
    enum Audio {
        struct Sound: SettingsManageable { var volume = 0.8 }
    }

    enum Video {
        struct Sound: SettingsManageable { var isMuted = false }
    }

    @Test func `a type has a file of its name beside the standard suite's`() throws {
        struct Unplaced: SettingsManageable { var number = 1 }
        let path = try #require(DefaultsSuite.standard.path)
        let folder = path[...(try #require(path.lastIndex(of: "/")))]
        #expect(try Unplaced.suite.path == "\(folder)Unplaced.json")
    }

    @Test func `the second type of a name is refused with both names, and the first keeps its file`() throws {
        let first = try Audio.Sound.suite
        let error = try #require(refusal { _ = try Video.Sound.suite })
        #expect(error.code == .conflictingTypes && error.path == first.path)
        for name in ["SettingsPlaceTests.Audio.Sound", "SettingsPlaceTests.Video.Sound", "static var suite"] {
            #expect(error.description.contains(name))
        }
        var sound = Video.Sound()
        #expect(refusal { try sound.load() } == error)
        #expect(try Audio.Sound.suite == first)
    }

    @Test func `a type has not the file of the standard suite`() throws {
        // swift-format-ignore: TypeNamesShouldBeCapitalized
        struct settings: SettingsManageable { var number = 1 }
        let error = refusal { _ = try settings.suite }
        #expect(error?.code == .conflictingTypes)
        #expect(error?.path == DefaultsSuite.standard.path)
    }
}

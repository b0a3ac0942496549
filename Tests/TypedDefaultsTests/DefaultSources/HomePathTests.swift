/// A `~/` at the beginning of a path is the home folder, wherever a path is given.
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

#if compiler(>=6.2)
    @Suite(.timeLimit(.minutes(60))) struct HomePathTests {
        private struct Person: SettingsManageable {
            static let suite = DefaultsSuite.inMemory()
            var age = 1
        }

        private static let plist =
            #"<plist version="1.0"><dict><key>b</key><integer>2</integer></dict></plist>"#
        private static let pane = """
            <plist version="1.0"><dict><key>PreferenceSpecifiers</key><array><dict><key>Key</key><string>c</string>\
            <key>DefaultValue</key><integer>3</integer></dict></array></dict></plist>
            """

        // In a process of its own, which has a home of its own and works in another folder.
        @Test func `suites, sources, schemas and an administrator's file are found in the home folder`() async
        {
            await #expect(processExitsWith: .success) {
                let (home, work) = (try TemporaryFolder(), try TemporaryFolder())
                try #require(setenv("HOME", home.path, 1) == 0 && chdir(work.path) == 0)
                try home.write(#"{"a": 1}"#, to: "defaults.json")
                try home.write(Self.plist, to: "defaults.plist")
                try home.write(Self.pane, to: "Settings.bundle/Root.plist")
                try home.write(#"{"d": 4}"#, to: "managed.json")
                try home.write(#"{"age": 5}"#, to: "person.json")

                let suite = try DefaultsSuite("own", in: "~/suites")
                try suite.set(0, forKey: "n")
                #expect(suite.path == home.path + "/suites/own/settings.json")
                #expect(try DefaultsSuite.names(in: "~/suites") == ["own"])
                #expect(try DefaultsSuite("own", in: "~").path == home.path + "/own/settings.json")
                #expect(try DefaultsSuite(file: "~/any.json").path == home.path + "/any.json")
                #expect(try suite.writeSchema(of: [], to: "~/schema.json") == home.path + "/schema.json")
                try suite.setManagedFile("~/managed.json")
                try await suite.read(
                    sources: JSONDefaultValueSource(path: "~/defaults.json"),
                    PropertyListDefaultValueSource(path: "~/defaults.plist"),
                    SettingsBundleDefaultValueSource(path: "~/Settings.bundle"))
                #expect(suite.dictionaryRepresentation() == ["n": 0, "a": 1, "b": 2, "c": 3, "d": 4])
                var person = Person()
                try person.loadUsingSettingsFile("~/person.json")
                #expect(person.age == 5)
                #expect(try FileManager.default.contentsOfDirectory(atPath: work.path) == [])
            }
        }

        @Test func `a bundle in the home folder is followed`() async {
            await #expect(processExitsWith: .success) {
                let home = try TemporaryFolder()
                try #require(setenv("HOME", home.path, 1) == 0)
                try home.write(Self.pane, to: "Settings.bundle/Root.plist")
                let suite = DefaultsSuite.inMemory()
                let heard = Recorder<DefaultsValue?>()
                let observation = suite.observe(forKey: "c", options: [.new]) { heard.append($0.newValue) }
                let following = suite.follow(SettingsBundleDefaultValueSource(path: "~/Settings.bundle"))
                try #require(await heard.wait(for: 1))
                try home.write(
                    Self.pane.replacing("<integer>3", with: "<integer>4"), to: "Settings.bundle/Root.plist")
                #expect(await heard.wait { $0.last == 4 })
                following.invalidate()
                observation.invalidate()
            }
        }

        @Test func `another user's name at the beginning is refused, with what to write`() async {
            let suite = DefaultsSuite.inMemory()
            let remedy =
                "no path begins with the name of a user: write out the home folder, or ./~ann/x for a folder that is named so"
            let place = refusal { _ = try DefaultsSuite(file: "~ann/x") }
            #expect(place?.code == .invalidSuiteName && place?.underlyingDescription == remedy)
            #expect(refusal { _ = try DefaultsSuite("x", in: "~ann/x") }?.underlyingDescription == remedy)
            #expect(refusal { _ = try DefaultsSuite.names(in: "~ann/x") }?.underlyingDescription == remedy)
            #expect(refusal { try suite.setManagedFile("~ann/x") }?.underlyingDescription == remedy)
            #expect(refusal { try suite.writeSchema(of: [], to: "~ann/x") }?.underlyingDescription == remedy)
            let source = await suite.readingError(JSONDefaultValueSource(path: "~ann/x"))
            #expect(source?.code == .sourceFailed && source?.description.contains(remedy) == true)
        }

        @Test func `a tilde that is not the first name's begin, or is all of a file's name, is a letter`()
            throws
        {
            let folder = try TemporaryFolder()
            #expect(try DefaultsSuite(file: folder.path + "/~/x").path == folder.path + "/~/x")
            #expect(try DefaultsSuite(file: "./~/x").path?.hasSuffix("/~/x") == true)
            #expect(try DefaultsSuite(file: "~backup.json").path?.hasSuffix("/~backup.json") == true)
        }
    }
#endif

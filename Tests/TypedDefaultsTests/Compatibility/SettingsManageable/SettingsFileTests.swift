import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// Initial values that come with the program, in a file.
@Suite(.ownThread) struct SettingsFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/shipped.json"
        try folder.write(#"{ "lives": 12, /* a person's */ "nickname": "Bo" }"#, to: "shipped.json")
    }

    @Test func `a settings file supplies the initial values, and the type the others`() throws {
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.loadUsingSettingsFile(path)
            #expect(settings == PlayerSettings(lives: 12, nickname: "Bo"))
            #expect(try suite.storedValues()["lives"] == 12)
            settings.lives = 1
            settings.nickname = nil
            try settings.update()
            try settings.loadUsingSettingsFile(path)
            #expect(settings == PlayerSettings(lives: 1))
            try settings.reset()
            #expect(settings == PlayerSettings(lives: 12, nickname: "Bo"))
        }
        // The others are those that the value has, which need not be a new one's.
        try inSuite(.memory) { _ in
            var settings = PlayerSettings(volume: 0.1)
            try settings.loadUsingSettingsFile(path)
            #expect(settings == PlayerSettings(volume: 0.1, lives: 12, nickname: "Bo"))
        }
    }

    @Test(arguments: [
        ("missing.json", "", DefaultsError.Code.sourceFailed), ("broken.json", "{", .sourceFailed),
        ("nameless.json", #"{ "": 1 }"#, .sourceFailed),
        ("wrong.json", #"{ "lives": "many" }"#, .typeMismatch),
        ("missing.plist", "", .sourceFailed), ("broken.plist", "<plist><dict>", .sourceFailed),
        ("nameless.plist", "<plist><dict><key></key><true/></dict></plist>", .sourceFailed),
        ("wrong.plist", "<plist><dict><key>lives</key><true/></dict></plist>", .typeMismatch),
    ])
    private func `a settings file that cannot be used is named and leaves nothing behind`(
        _ name: String, _ text: String, _ code: DefaultsError.Code
    ) throws {
        let path = "\(folder.path)/\(name)"
        if !text.isEmpty { try folder.write(text, to: name) }
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            let error = refusal { try settings.loadUsingSettingsFile(path) }
            #expect(error?.code == code)
            #expect(error?.path == path)
            #expect(settings == PlayerSettings())
            let stored = try suite.storedValues()
            #expect(stored == [:])
        }
    }

    @Test func `what is damaged in a settings file is told with its place`() throws {
        try folder.write("{\n  \"lives\": tru\n}", to: "damaged.json")
        let path = folder.path + "/damaged.json"
        try inSuite(.memory) { _ in
            var settings = PlayerSettings()
            let damaged = DefaultsError(
                .sourceFailed, path: path, line: 2, column: 12, underlyingDescription: "expected a value")
            #expect(refusal { try settings.loadUsingSettingsFile(path) } == damaged)
        }
    }

    @Test func `a property list supplies the initial values too`() throws {
        let list = "<plist><dict><key>lives</key><integer>9</integer></dict></plist>"
        try folder.write(list, to: "shipped.plist")
        try inSuite(.memory) { suite in
            var settings = PlayerSettings()
            try settings.loadUsingSettingsFile(folder.path + "/shipped.plist")
            #expect(settings == PlayerSettings(lives: 9))
            #expect(try suite.storedValues()["lives"] == 9)
        }
    }

    @Test func `without a path the file is looked for beside the executable`() throws {
        try inSuite(.memory) { _ in
            var settings = PlayerSettings()
            let beside = try folderOfExecutable() + "/PlayerSettings"
            #expect(refusal { try settings.loadUsingSettingsFile() }?.path == beside + ".json")
        }
    }

    @Test func `without a path and a JSON file a property list beside the executable is taken`() throws {
        struct Shipped: SettingsManageable {
            var lives = 3
            static var suite: DefaultsSuite { Here.suite }
        }
        let path = try folderOfExecutable() + "/Shipped.plist"
        try Data("<plist><dict><key>lives</key><integer>9</integer></dict></plist>".utf8)
            .write(to: URL(filePath: path))
        defer { #expect(unlink(path) == 0) }
        try inSuite(.memory) { _ in
            var settings = Shipped()
            try settings.loadUsingSettingsFile()
            #expect(settings.lives == 9)
        }
    }

    private func folderOfExecutable() throws -> String {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: program).deletingLastPathComponent().path
    }
}

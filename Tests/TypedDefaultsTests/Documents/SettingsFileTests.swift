import Foundation
import TestSupport
import Testing
import TypedDefaults

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
    }

    @Test(arguments: [
        ("missing.json", "", DefaultsError.Code.io), ("broken.json", "{", .malformedFile),
        ("wrong.json", #"{ "lives": "many" }"#, .typeMismatch),
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

    @Test func `without a path the file is looked for beside the executable`() throws {
        try inSuite(.memory) { _ in
            var settings = PlayerSettings()
            let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let folder = URL(filePath: program).deletingLastPathComponent().path
            let error = refusal { try settings.loadUsingSettingsFile() }
            #expect(error?.path == "\(folder)/PlayerSettings.json")
        }
    }
}

/// What the tutorial on SettingsManageable and its package document, one test for each thing their users write.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

private struct Look: SettingsManageable, Equatable {
    enum Tone: String, Codable { case plain, warm }
    var tone = Tone.plain
    var size = 14.0
    var isCompact: Bool? = false

    static var suite: DefaultsSuite { get throws(DefaultsError) { try Files.here.suite("Look") } }
}

/// One instance for the whole program.
private final class Game: SettingsManageable {
    var lives = 3
    var hasMap = false

    static var suite: DefaultsSuite { get throws(DefaultsError) { try Files.here.suite("Game") } }

    func assign(from other: Game) { (lives, hasMap) = (other.lives, other.hasMap) }
}

/// Where one test's files are.
private struct Files {
    @TaskLocal static var here = Files(folder: "")
    let folder: String

    func suite(_ name: String) throws(DefaultsError) -> DefaultsSuite {
        try DefaultsSuite(file: "\(folder)/\(name).json")
    }
}

@Suite(.ownThread) struct FromSettingsManageableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func inFolder(_ body: () throws -> Void) rethrows {
        try Files.$here.withValue(Files(folder: folder.path), operation: body)
    }

    @Test func `the first load makes the file, named after the type`() throws {
        try inFolder {
            var look = Look()
            try look.load()
            #expect(look == Look())
            #expect(try folder.read("Look.json").contains(#""size": 14"#))
            #expect(look.settingsURL() == "file://\(folder.path)/Look.json")
        }
    }

    @Test func `what is updated is there for the next who loads`() throws {
        try inFolder {
            var look = Look()
            try look.load()
            (look.tone, look.size, look.isCompact) = (.warm, 16, nil)
            try look.update()
            var next = Look()
            try next.load()
            #expect(next == look)
        }
    }

    @Test func `the file's content is a dictionary`() throws {
        try inFolder {
            var look = Look()
            try look.load()
            #expect(try look.toDictionary() == ["tone": "plain", "size": 14, "isCompact": false])
        }
    }

    @Test func `deleting leaves no settings and the value as it is`() throws {
        try inFolder {
            var look = Look()
            try look.load()
            look.size = 16
            try look.update()
            try look.delete()
            #expect(try look.toDictionary() == [:])
            #expect(look.size == 16)
        }
    }

    @Test func `resetting returns to the values of the first load, also after deleting`() throws {
        try inFolder {
            var look = Look(size: 12)
            try look.load()
            look.size = 16
            try look.update()
            try look.reset()
            #expect(look == Look(size: 12))
            try look.delete()
            try look.reset()
            #expect(try look.toDictionary()["size"] == 12)
        }
    }

    @Test(arguments: [
        ("shipped.json", #"{ "size": 20, "tone": "warm" }"#),
        (
            "shipped.plist",
            "<plist><dict><key>size</key><real>20</real><key>tone</key><string>warm</string></dict></plist>"
        ),
    ])
    func `a settings file that comes with the program has the initial values, until they are changed`(
        name: String, text: String
    ) throws {
        try folder.write(text, to: name)
        let path = "\(folder.path)/\(name)"
        try inFolder {
            var look = Look()
            try look.loadUsingSettingsFile(path)
            #expect(look == Look(tone: .warm, size: 20))
            look.size = 8
            try look.update()
            try look.loadUsingSettingsFile(path)
            #expect(look.size == 8)
            try look.reset()
            #expect(look == Look(tone: .warm, size: 20))
        }
    }

    @Test func `one instance of a class is shared, loaded, updated and reset`() throws {
        try inFolder {
            let game = Game()
            try game.load()
            game.lives += 2
            game.hasMap = true
            try game.update()
            #expect(try Game.loaded().lives == 5)
            try game.reset()
            #expect((game.lives, game.hasMap) == (3, false))
        }
    }

    @Test func `several types have each their own file`() throws {
        try inFolder {
            var look = Look()
            try look.load()
            try Game().load()
            try look.delete()
            #expect(try Game.suite.storedValues() == ["lives": 3, "hasMap": false])
        }
    }
}

#if compiler(>=6.2)
    @Suite(.timeLimit(.minutes(60))) struct SettingsDescriptionTests {
        @Test func `the settings are printed, one a line`() async {
            let exit = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                let folder = try TemporaryFolder()
                try Files.$here.withValue(Files(folder: folder.path)) {
                    try Look(size: 12).describeSettings()
                }
            }
            let said = String(decoding: exit?.standardOutputContent ?? [], as: UTF8.self)
            for line in ["tone: \"plain\"", "size: 12", "isCompact: false"] { #expect(said.contains(line)) }
        }
    }
#endif

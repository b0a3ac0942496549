/// The settings on the screen, with what the schema says of them.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct BrowseTests {
    private let place: Workplace

    init() throws {
        place = try Workplace()
        try place.save(#"{"$schema": "schema.json", "volume": 0.5, "token": "hunter2", "build": "007"}"#)
        let schema = """
            {"properties": {
              "volume": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.25, "description": "How loud."},
              "theme": {"enum": ["light", "dark"], "default": "light", "description": "How it looks."},
              "token": {"type": "string", "writeOnly": true}}}
            """
        try Data(schema.utf8).write(to: URL(filePath: place.file("schema.json")))
    }

    @Test func `browse shows the keys of the schema and what else is stored, and hides what is writeOnly`()
        throws
    {
        let terminal = try Terminal(place, "browse", "-s", "player")
        try terminal.wait(for: "q quit")
        try terminal.type("q")
        let (status, screen) = try terminal.end()
        #expect(status == 0)
        for text in ["4 settings", "How loud.", "light", "build", "not in the schema", "(secret)"] {
            #expect(screen.contains(text), "\(text)")
        }
        #expect(!screen.contains("hunter2"))
        let revealed = try Terminal(place, "browse", "-s", "player", "--reveal")
        try revealed.wait(for: "hunter2")
    }

    @Test func `what the schema refuses is not taken, and what it allows is stored as what it is`() throws {
        let terminal = try Terminal(place, "browse", "-s", "player")
        try terminal.wait(for: "q quit")
        for (keys, text) in [
            (":volume\r", "0 to 1"), ("\r\u{15}2\r", "at most 1"), ("\u{15}0.75\r", "in the draft: 0.75"),
            (":theme\r", "How it looks."), (" ", "in the draft: dark"), (":build\r", "not in the schema"),
            ("\r\u{15}008\r", "in the draft: 008"), ("a", "3 changes are stored"),
        ] {
            try terminal.type(keys)
            try terminal.waitOnPage(for: text)
        }
        try terminal.type("q")
        #expect(try terminal.end().status == 0)
        let stored = try place.run("read", "-s", "player", "--json").object()
        #expect(stored["volume"] as? Double == 0.75)
        #expect(stored["theme"] as? String == "dark" && stored["build"] as? String == "008")
    }

    @Test func `without a terminal or a suite there is no screen, and that is said`() throws {
        let piped = try place.run("browse", "-s", "player")
        #expect(piped.status == 64 && piped.errors.contains("have to be a terminal"))
        let missing = try place.run("browse", "-s", "nobody")
        #expect(missing.status == 66)
        #expect(!FileManager.default.fileExists(atPath: place.path + "/config/nobody"))
    }
}

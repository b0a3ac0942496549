/// Whole settings of which nothing is left, or not everything has been stored.
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

private struct Server: SettingsManageable, Equatable {
    var host: String? = "p"
    static var suite: DefaultsSuite { Here.suite }
}

private struct Servers: SettingsManageable, Equatable {
    var host: String? = "p"
    var port: Int? = 1
    static var suite: DefaultsSuite { Here.suite }
}

private struct Later: SettingsManageable, Equatable {
    var a = 1
    var b = 1
    var c: String? = "c"
    static var suite: DefaultsSuite { Here.suite }
}

private struct Earlier: SettingsManageable, Equatable {
    var a = 1
    static var suite: DefaultsSuite { Here.suite }
}

private struct Frame: Codable, Equatable { var w = 800, h = 600 }

private struct Framed: SettingsManageable, Equatable {
    var frame = Frame()
    var frames = [Frame()]
    static var suite: DefaultsSuite { Here.suite }
}

@Suite(.ownThread) struct EmptiedSettingsTests {
    @Test(arguments: Place.allCases)
    private func `a property that was removed to the last one stays removed`(_ place: Place) throws {
        try inSuite(place) { suite in
            var server = Server()
            try server.load()
            server.host = nil
            try server.update()
            var again = Server()
            try again.load()
            #expect(again == Server(host: nil))
            #expect(try suite.storedValues() == ["host": nil])
            again.host = "q"
            try again.update()
            try server.load()
            #expect(server == Server(host: "q"))
            try server.reset()
            #expect(server == Server())
        }
    }

    @Test(arguments: Place.allCases)
    private func `properties that are removed one after the other stay removed`(_ place: Place) throws {
        try inSuite(place) { _ in
            var servers = Servers()
            try servers.load()
            servers.host = nil
            try servers.update()
            servers.port = nil
            try servers.update()
            var again = Servers()
            try again.load()
            #expect(again == Servers(host: nil, port: nil))
        }
    }

    @Test(arguments: Place.allCases)
    private func `what another process has deleted is not brought back by a load`(_ place: Place) throws {
        try inSuite(place) { suite in
            var settings = PlayerSettings()
            try settings.load()
            settings.lives = 5
            try settings.update()
            // As delete() of another process does.
            try suite.removeAll()
            try settings.load()
            #expect(settings == PlayerSettings())
            #expect(try suite.storedValues().isEmpty)
            settings.volume = 0.1
            try settings.update()
            var again = PlayerSettings()
            try again.load()
            #expect(again == PlayerSettings(volume: 0.1))
        }
    }

    @Test(arguments: Place.allCases)
    private func `what was not stored yet is stored by an update after a load`(_ place: Place) throws {
        try inSuite(place) { suite in
            var earlier = Earlier()
            try earlier.load()
            var later = Later()
            later.b = 2
            later.c = nil
            try later.load()
            #expect(later == Later(b: 2, c: nil))
            try later.update()
            #expect(try suite.storedValues() == ["a": 1, "b": 2, "c": nil])
            var again = Later()
            try again.load()
            #expect(again == Later(b: 2, c: nil))
        }
    }

    @Test(arguments: Place.allCases)
    private func `an update leaves what the type does not know in a property`(_ place: Place) throws {
        try inSuite(place) { suite in
            try suite.set(["w": 800, "h": 600, "depth": 3], forKey: "frame")
            try suite.set([["w": 1, "h": 1, "depth": 1]], forKey: "frames")
            var framed = Framed()
            try framed.load()
            framed.frame.w = 801
            framed.frames[0].h = 2
            framed.frames.append(Frame(w: 5, h: 5))
            // Another process meanwhile.
            try suite.set(["w": 800, "h": 700, "depth": 4], forKey: "frame")
            try framed.update()
            #expect(
                try suite.storedValues() == [
                    "frame": ["w": 801, "h": 700, "depth": 4],
                    // One that has changed and has no id is new.
                    "frames": [["w": 1, "h": 2], ["w": 5, "h": 5]],
                ])
        }
    }
}

/// The values of a container's settings: where they come from and where they go.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

private struct Pane: Codable, Hashable, Sendable { var width = 800, height = 600 }

@Suite(.ownThread) struct ContainerValueTests {
    private let suite = DefaultsSuite.inMemory()
    private let container: SettingsContainer

    init() {
        container = SettingsContainer(suite: suite)
        container.register {
            readonly("fixed", default: .local(5))
            transient("passing", default: .local(5))
            userDefault("kept", default: .local(5))
            userDefault("url", default: .local("http://localhost/a"))
            userDefault("window", default: .local(Pane()))
            userDefault("sourced")
        }
    }

    @Test func `a value is read as any type that reads its JSON`() throws {
        #expect(try container.value("url", as: URL.self) == URL(string: "http://localhost/a"))
        #expect(try container.value("url", as: String.self) == "http://localhost/a")
        #expect(try container.value("fixed", as: Double.self) == 5)
        #expect(try container.value("fixed", as: Int?.self) == 5)
        #expect(try container.value("window", as: [String: Int].self) == ["width": 800, "height": 600])
    }

    @Test func `a stored setting is in the file's domain and a transient one is not`() throws {
        try container.set("kept", to: 7)
        try container.set("passing", to: 8)
        #expect(try suite.storedValues() == ["kept": 7])
        #expect(suite.domain(forKey: "passing") == .transient)
        #expect(try container.value("kept", as: Int.self) == 7)
        #expect(try container.value("passing", as: Int.self) == 8)
    }

    @Test func `a stored setting is there for another container over the same file`() throws {
        let folder = try TemporaryFolder()
        for round in 0..<2 {
            let container = SettingsContainer(suite: try DefaultsSuite("settings", in: folder.path))
            container.register { userDefault("runs", default: .local(0)) }
            #expect(try container.value("runs", as: Int.self) == round)
            try container.set("runs", to: round + 1)
        }
    }

    @Test func `a URL set where the default is a text is stored as that text`() throws {
        try container.set("url", to: try #require(URL(string: "https://example.com")))
        #expect(try suite.storedValues() == ["url": "https://example.com"])
    }

    @Test func `what is stored under a key that is not a stored setting's is not looked at`() throws {
        for key in ["fixed", "passing"] { try suite.set(99, forKey: key) }
        try suite.setTransient(98, forKey: "fixed")
        #expect(try container.value("fixed", as: Int.self) == 5)
        #expect(try container.value("passing", as: Int.self) == 5)
    }

    @Test(arguments: ["fixed", "passing", "kept"])
    func `the command line and the environment answer for every kind`(_ key: String) throws {
        suite.addEnvironment(prefix: "APP_", in: ["APP_\(key.uppercased())": "6"])
        #expect(try container.value(key, as: Int.self) == 6)
        suite.addArguments(["app", "--\(key)", "7"])
        #expect(try container.value(key, as: Int.self) == 7)
    }

    @Test(arguments: [("name", "5"), ("sourced", "5")])
    func `a text of the command line is read as the type asked for`(_ key: String, _ text: String) throws {
        container.register { readonly("name", default: .local("none")) }
        suite.addArguments(["app", "--\(key)", text])
        #expect(try container.value(key, as: String.self) == "5")
    }

    @Test func `one that no default says the type of is read as each type it is asked for`() throws {
        suite.addArguments(["app", "--sourced", "5"])
        #expect(try container.value("sourced", as: String.self) == "5")
        #expect(try container.value("sourced", as: Int.self) == 5)
    }

    @Test(arguments: ["passing", "kept"])
    func `reset takes away what was set, and so does nil`(_ key: String) throws {
        try container.set(key, to: 9)
        try container.reset(key)
        #expect(try container.value(key, as: Int.self) == 5)
        try container.set(key, to: 9)
        try container.set(key, to: Int?.none)
        #expect(try container.value(key, as: Int.self) == 5)
        #expect(try suite.storedValues() == [:])
    }

    @Test func `an optional is nil while nothing has a value`() throws {
        #expect(try container.value("sourced", as: String?.self) == nil)
        let name: String? = container["sourced"]
        #expect(name == nil)
    }

    @Test func `a typed key of the suite and the container share a value`() throws {
        let key = Defaults.Key<Int>("kept", default: 5, suite: suite)
        Defaults[key] = 12
        #expect(try container.value("kept", as: Int.self) == 12)
        try container.set("kept", to: 13)
        #expect(Defaults[key] == 13)
    }

    @Test func `the subscript reads and writes the type at its place`() {
        container["kept"] = 7
        container["window"] = Pane(width: 1, height: 2)
        let kept: Int = container["kept"]
        #expect(kept == 7)
        #expect(container["window"] as Pane == Pane(width: 1, height: 2))
        #expect(container["url"] as URL == URL(string: "http://localhost/a"))
    }

    @Test func `a set within a transaction goes with it`() throws {
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try suite.withTransaction { _ in
                try container.set("kept", to: 7)
                #expect(try container.value("kept", as: Int.self) == 7)
                throw Refusal()
            }
        }
        #expect(try container.value("kept", as: Int.self) == 5)
    }
}

/// What PropertyKit documents of PropertyDefaults, one test for each thing its users write. That the compiler refuses two
/// properties of one name is shown by RepositoryTests.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

private struct Card: Codable, Hashable, Sendable {
    var title = "none"
    var day: Date?
    var picture: Data?
}

extension Defaults: PropertyDefaults {
    fileprivate var slogan: String? {
        get { get() }
        set { set(newValue) }
    }
    fileprivate var opened: Date? {
        get { get() }
        set { set(newValue) }
    }
    fileprivate var card: Card {
        get { get(or: Card()) }
        set { set(newValue) }
    }
    fileprivate var spareCard: Card? {
        get { get() }
        set { set(newValue) }
    }
    fileprivate var firmCard: Card? {
        get { get() }
        set { set(newValue, or: Card(title: "firm")) }
    }
}

private protocol CountersOfThisFile: PropertyDefaults {
    var rounds: Int? { get }
    var secret: String? { get set }
}

extension Defaults: CountersOfThisFile {
    fileprivate var rounds: Int? {
        get { get() }
        set { set(newValue) }
    }
    fileprivate var secret: String? {
        get { get() }
        set { set(newValue) }
    }
}

@Suite(.ownThread) struct FromPropertyKitTests {
    private let suite = DefaultsSuite.inMemory()

    @Test func `a text and a date are kept under their properties' names`() throws {
        var defaults = Defaults(suite: suite)
        defaults.slogan = "less"
        defaults.opened = Date(timeIntervalSince1970: 0)
        #expect((defaults.slogan, defaults.opened) == ("less", Date(timeIntervalSince1970: 0)))
        #expect(try suite.storedValues() == ["slogan": "less", "opened": "1970-01-01T00:00:00Z"])
    }

    @Test func `a value of one's own has the default that stands beside it`() {
        var defaults = Defaults(suite: suite)
        #expect(defaults.card == Card())
        defaults.card.picture = Data([1, 2])
        #expect(Defaults(suite: suite).card == Card(picture: Data([1, 2])))
    }

    @Test func `an optional value may have a default for setting nil`() {
        var defaults = Defaults(suite: suite)
        #expect((defaults.spareCard, defaults.firmCard) == (nil, nil))
        (defaults.spareCard, defaults.firmCard) = (Card(title: "a"), nil)
        #expect((defaults.spareCard, defaults.firmCard) == (Card(title: "a"), Card(title: "firm")))
        defaults.spareCard = nil
        #expect(defaults.spareCard == nil)
    }

    @Test func `a protocol of a file keeps its properties to the file`() {
        var defaults: any CountersOfThisFile = Defaults(suite: suite)
        defaults.secret = "kept"
        #expect((defaults.secret, defaults.rounds) == ("kept", nil))
    }

    @Test func `a property computed without a setter has a value of its own`() {
        struct Scopes {
            let defaults: Defaults
            var first: Int {
                defaults.set(2)
                return defaults.get(or: 0)
            }
            var second: Int { defaults.get(or: 0) }
        }
        let scopes = Scopes(defaults: Defaults(suite: suite))
        #expect((scopes.first, scopes.second) == (2, 0))
    }
}

#if compiler(>=6.2)
    /// The scopes by name, in a process whose settings are in a folder of the test's own.
    @Suite(.timeLimit(.minutes(60))) struct PropertyKitScopeTests {
        @Test func `the shared scope is one, and a named one is another`() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                setenv("XDG_CONFIG_HOME", folder.path, 1)
                var some = Defaults()
                some.slogan = "shared"
                #expect(Defaults.shared.slogan == "shared")
                Defaults.shared.slogan = "again"
                #expect(some.slogan == "again")
                var local = try Defaults(suiteName: "local")
                local.slogan = "local"
                #expect(Defaults.shared.slogan == "again")
                #expect(try folder.read("local/settings.json").contains(#""slogan": "local""#))
            }
        }
    }
#endif

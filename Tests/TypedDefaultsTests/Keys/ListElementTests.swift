import Foundation
import TestSupport
import Testing
import TypedDefaults

/// What a type does not know stays with its element of a list, and is given to no other one.
@Suite(.ownThread) struct ListElementTests {
    private struct Account: Codable, Sendable {
        var id: Int
        var name: String
    }
    private struct Host: Codable, Hashable, Sendable {
        var name: String
        var port: Int
    }
    private struct Dated: Codable, Sendable {
        var id: Int?
        var at: Date
    }

    private static let two = """
        {"accounts": [
          {"id": 1, "name": "Work", "token": "OF-1"},  // work
          {"id": 2, "name": "Home", "token": "OF-2"}   // home
        ]}

        """

    private func stored(
        _ text: String = two, _ change: (inout [Account]) -> Void
    ) throws -> (value: DefaultsValue?, text: String) {
        var result: (DefaultsValue?, String) = (nil, "")
        try withSettingsFile(text) { suite, failures, folder in
            let accounts = Defaults.Key<[Account]>("accounts", default: [], suite: suite)
            Defaults.modify(accounts, change)
            try suite.checkpoint()
            result = (suite.value(forKey: "accounts"), try folder.settings())
            #expect(failures.all == [])
        }
        return result
    }

    @Test func `one that is removed leaves nothing to the next one, which is renamed`() throws {
        let (value, text) = try stored {
            $0.removeFirst()
            $0[0].name = "Private"
        }
        #expect(value == [["id": 2, "name": "Private", "token": "OF-2"]])
        #expect(text.contains("// home") && !text.contains("// work"))
    }

    @Test func `one that replaces another has nothing of it`() throws {
        let (value, text) = try stored { $0[0] = Account(id: 3, name: "New") }
        #expect(value == [["id": 3, "name": "New"], ["id": 2, "name": "Home", "token": "OF-2"]])
        #expect(text.contains("// home") && !text.contains("// work"))
    }

    @Test func `one that is inserted while others are renamed and removed has nothing of them`() throws {
        let (value, text) = try stored {
            $0.removeLast()
            $0[0].name = "Job"
            $0.insert(Account(id: 3, name: "New"), at: 0)
        }
        #expect(value == [["id": 3, "name": "New"], ["id": 1, "name": "Job", "token": "OF-1"]])
        #expect(text.contains("// work") && !text.contains("// home"))
    }

    @Test func `those that are moved and changed keep what is theirs, with their comments`() throws {
        let (value, text) = try stored {
            $0.swapAt(0, 1)
            $0[0].name = "Private"
            $0[1].name = "Job"
        }
        #expect(
            value == [
                ["id": 2, "name": "Private", "token": "OF-2"], ["id": 1, "name": "Job", "token": "OF-1"],
            ])
        #expect(
            text == """
                {"accounts": [
                  {"id": 2, "name": "Private", "token": "OF-2"},   // home
                  {"id": 1, "name": "Job", "token": "OF-1"}  // work
                ]}

                """)
    }

    @Test func `where an id is missing or occurs twice, only equal elements are the same`() throws {
        let (value, _) = try stored(
            #"{"accounts": [{"id": 1, "name": "a", "token": 1}, {"id": 1, "name": "b", "token": 2}]}"#
        ) { $0[1].name = "c" }
        #expect(value == [["id": 1, "name": "a", "token": 1], ["id": 1, "name": "c"]])
    }

    @Test func `a value of a dictionary whose keys are no strings is that of its key`() throws {
        let (a, b) = (UUID(), UUID())
        // As a person may spell it, and in no order.
        for (first, second) in [(a, b), (b, a)] {
            let text = """
                {"hosts": [
                  "\(first.uuidString)", {"name": "\(first == a ? "a" : "b")", "port": 1, "password": "\(first == a ? "A" : "B")"},
                  "\(second.uuidString)", {"name": "\(second == a ? "a" : "b")", "port": 1, "password": "\(second == a ? "A" : "B")"}
                ]}
                """
            try withSettingsFile(text) { suite, _, _ in
                let hosts = Defaults.Key<[UUID: Host]>("hosts", default: [:], suite: suite)
                let c = UUID()
                Defaults.modify(hosts) {
                    $0[a] = nil
                    $0[b]?.port = 2
                    $0[c] = Host(name: "c", port: 3)
                }
                let list = suite.value(forKey: "hosts")?.array ?? []
                #expect(list.count == 4)
                for pair in stride(from: 0, to: list.count - 1, by: 2) {
                    let isNew = list[pair].string == c.uuidString
                    #expect(
                        list[pair + 1]
                            == (isNew
                                ? ["name": "c", "port": 3] : ["name": "b", "port": 2, "password": "B"]))
                }
            }
        }
    }

    @Test func `keys that a person has spelled in another way keep their values' rest`() throws {
        let a = UUID()
        let text = #"{"hosts": ["\#(a.uuidString.lowercased())", {"name": "a", "port": 1, "password": "A"}]}"#
        try withSettingsFile(text) { suite, _, _ in
            let hosts = Defaults.Key<[UUID: Host]>("hosts", default: [:], suite: suite)
            Defaults[hosts][a]?.port = 2
            #expect(suite.value(forKey: "hosts")?[1] == ["name": "a", "port": 2, "password": "A"])
        }
    }

    @Test(arguments: [true, false])
    func `of a long list that is spelled in another way the rest stays`(hasIDs: Bool) throws {
        let items = (0..<1_000).map {
            (hasIDs ? "{\"id\": \($0), " : "{")
                + "\"at\": \"2024-01-01T00:00:00+00:00\", \"note\": \"n\($0)\"}"
        }
        try withSettingsFile("{\"list\": [\n" + items.joined(separator: ",\n") + "\n]}\n") {
            suite, _, folder in
            let list = Defaults.Key<[Dated]>("list", default: [], suite: suite)
            Defaults[list].append(Dated(id: hasIDs ? 1_000 : nil, at: Date(timeIntervalSince1970: 0)))
            Defaults.modify(list) { $0[3].id = hasIDs ? 3_000 : nil }
            try suite.checkpoint()
            let text = try folder.settings()
            #expect(text.split(separator: "note").count - 1 == (hasIDs ? 999 : 1_000))
            #expect(text.split(separator: "+00:00").count - 1 == (hasIDs ? 999 : 1_000))
        }
    }

    @Test func `an element of a set that a person has put in another order has nothing of another one`()
        throws
    {
        let text = """
            {"hosts": [{"name": "b", "port": 2, "password": "B"}, {"name": "a", "port": 1, "password": "A"}]}
            """
        try withSettingsFile(text) { suite, _, _ in
            let hosts = Defaults.Key<Set<Host>>("hosts", default: [], suite: suite)
            Defaults.modify(hosts) { $0.remove(Host(name: "a", port: 1)) }
            #expect(suite.value(forKey: "hosts")?[0]?["password"] != "A")
            #expect(Defaults[hosts] == [Host(name: "b", port: 2)])
        }
    }
}

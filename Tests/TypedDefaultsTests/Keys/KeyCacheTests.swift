import Synchronization
import TestSupport
import Testing
import TypedDefaults

/// A cached value is never an old one.
@Suite(.ownThread) struct KeyCacheTests {
    @Test(arguments: Place.allCases)
    func `an untyped write is seen by a key that was read before`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            #expect(Defaults[size] == 1)
            try suite.set(2, forKey: "size")
            #expect(Defaults[size] == 2)
            try suite.removeValue(forKey: "size")
            #expect(Defaults[size] == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `a write through another key of the name is seen by a key that was read before`(_ place: Place)
        throws
    {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            let twin = Defaults.Key<Int>("size", default: 1, suite: suite)
            #expect(Defaults[size] == 1)
            Defaults[twin] = 2
            #expect(Defaults[size] == 2)
        }
    }

    @Test func `a write through a link to the folder is seen by a key that was read before`() throws {
        let folder = try TemporaryFolder()
        let link = try folder.makeLinkToItself()
        let size = Defaults.Key<Int>("size", default: 1, suite: try folder.suite())
        Defaults[size] = 2
        try DefaultsSuite("settings", in: link).set(3, forKey: "size")
        #expect(Defaults[size] == 3)
        withExtendedLifetime(folder) {}
    }

    @Test func `an edit by hand is seen by a key that was read before`() async throws {
        let folder = try TemporaryFolder()
        try folder.edit(#"{"size": 2}"#)
        let suite = try folder.suite()
        let size = Defaults.Key<Int>("size", default: 1, suite: suite)
        #expect(Defaults[size] == 2)
        let seen = Recorder<Int>()
        let observation = Defaults.observe(size, options: []) { _ in seen.append(Defaults[size]) }
        try folder.edit(#"{"size": 3}"#)
        #expect(await seen.wait { $0.last == 3 })
        #expect(Defaults[size] == 3)
        observation.invalidate()
        withExtendedLifetime(folder) {}
    }

    @Test(arguments: Place.allCases)
    func `a registration is seen by a key that was read before`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            #expect(Defaults[size] == 1)
            suite.register(defaults: ["size": 2])
            #expect(Defaults[size] == 2)
        }
    }

    @Test(arguments: Place.allCases)
    func `a key read inside a transaction that is rolled back is as before after it`(_ place: Place) throws {
        try place.withSuite { suite in
            let size = Defaults.Key<Int>("size", default: 1, suite: suite)
            #expect(throws: ChangeOfMind()) {
                try suite.withTransaction { tx in
                    tx[size] = 2
                    #expect(Defaults[size] == 2)
                    throw ChangeOfMind()
                }
            }
            #expect(Defaults[size] == 1)
        }
    }

    @Test(arguments: Place.allCases)
    func `texts of one length, one begin and one end are told apart`(_ place: Place) throws {
        try place.withSuite { suite in
            let (title, other) = (
                Defaults.Key<String>("title", default: "", suite: suite),
                Defaults.Key<Int>("other", default: 0, suite: suite)
            )
            // Twice each: a text that is what it was is found by another way than a new one.
            let texts = ["beginning A at the end", "beginning B at the end", "", "a", "b", "é", "ab", "ba"]
            for (round, text) in (texts + texts.reversed() + texts).enumerated() {
                Defaults[title] = text
                #expect(Defaults[title] == text)
                Defaults[other] = round + 1
                #expect(Defaults[title] == text)
            }
            Defaults.reset(title)
            #expect(Defaults[title] == "")
            Defaults[title] = texts[0]
            #expect(Defaults[title] == texts[0])
        }
    }

    @Test(arguments: Place.allCases)
    func `values of class type are decoded anew at each read`(_ place: Place) throws {
        try place.withSuite { suite in
            let track = Defaults.Key<Track>("track", default: Track(title: "none"), suite: suite)
            Defaults[track] = Track(title: "Aria")
            let (first, second) = (Defaults[track], Defaults[track])
            #expect(first !== second)
            #expect([first.title, second.title] == ["Aria", "Aria"])
        }
    }

    @Test(arguments: Place.allCases)
    func `optional values of class type are decoded anew at each read`(_ place: Place) throws {
        try place.withSuite { suite in
            let track = Defaults.OptionalKey<Track>("track", suite: suite)
            Defaults[track] = Track(title: "Aria")
            let first = try #require(Defaults[track])
            let second = try #require(Defaults[track])
            #expect(first !== second)
        }
    }
}

/// Reads beside writes; ThreadSanitizer runs these.
@Suite(.ownThread) struct KeyCacheConcurrencyTests {
    @Test(arguments: Place.allCases)
    func `a thread that reads while another counts up never sees a step back`(_ place: Place) throws {
        try place.withSuite { suite in
            let count = Defaults.Key<Int>("count", default: 0, suite: suite)
            let title = Defaults.Key<String>("title", default: "0", suite: suite)
            let isOver = Atomic<Bool>(false)
            withThreads(3) { number in
                if number == 0 {
                    for step in 1...100 { (Defaults[count], Defaults[title]) = (step, "\(step)") }
                    isOver.store(true, ordering: .releasing)
                } else {
                    var last = 0
                    while last < 100 {
                        let isLast = isOver.load(ordering: .acquiring)
                        let next = number == 1 ? Defaults[count] : Int(Defaults[title]) ?? -1
                        // A write that was refused would leave the readers waiting for ever.
                        if next < last || (isLast && next < 100) { break }
                        last = next
                    }
                    #expect(last == 100)
                }
            }
        }
    }
}

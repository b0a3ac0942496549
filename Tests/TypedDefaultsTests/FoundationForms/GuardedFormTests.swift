/// Foundation's types whose own decoding ends the program on what they cannot be.
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread) struct GuardedFormTests {
    @Test func `what Foundation has written comes back`() throws {
        for text in ["https://user:pw@example.com:8080/a/b?c=d#e", "a/b", "mailto:me", "//host", ""] {
            try roundTrip(try #require(URLComponents(string: text)))
        }
        for set in [IndexSet(), IndexSet(integer: 0), IndexSet([1, 2, 3, 700, 701])] { try roundTrip(set) }
        let rare = CharacterSet(charactersIn: "a\u{1F600}\u{E0020}")
        for set in [CharacterSet(), .letters, rare, rare.inverted, .whitespacesAndNewlines] {
            try roundTrip(set)
        }
        for identifier in [Calendar.Identifier.gregorian, .iso8601, .buddhist, .hebrew] {
            for day in 1...7 { try roundTrip(calendar(identifier, firstWeekday: day)) }
            for days in 1...7 { try roundTrip(calendar(identifier, daysInFirstWeek: days)) }
        }
    }

    private func calendar(
        _ identifier: Calendar.Identifier, firstWeekday: Int = 1, daysInFirstWeek: Int = 1
    ) -> Calendar {
        var calendar = Calendar(identifier: identifier)
        calendar.firstWeekday = firstWeekday
        calendar.minimumDaysInFirstWeek = daysInFirstWeek
        return calendar
    }

    /// Foundation ends the program when it prints one.
    @Test func `a date that is not a number is an error where it is read and where it is written`() throws {
        #expect(refusal(of: #""NaN""#, as: Date.self) != nil)
        #expect(refusal(of: #"["NaN"]"#, as: [Date].self) != nil)
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.Key<Date>("date", default: .distantPast, suite: suite)
        let error = refusal { try suite.set(key, to: Date(timeIntervalSinceReferenceDate: .nan)) }
        #expect(error?.code == .encodingFailed)
        try suite.set(key, to: Date(timeIntervalSinceReferenceDate: .infinity))
        #expect(suite[key] == Date(timeIntervalSinceReferenceDate: .infinity))
    }

    @Test func `an interval without an end is an error where it is read and where it is written`() throws {
        let start = Date(timeIntervalSinceReferenceDate: 7)
        for duration in [0, 0.5, .infinity] { try roundTrip(DateInterval(start: start, duration: duration)) }
        let key = Defaults.Key<DateInterval>(
            "interval", default: DateInterval(start: start, duration: 0), suite: .inMemory())
        let none = DateInterval(start: Date(timeIntervalSinceReferenceDate: .nan), duration: 0)
        #expect(refusal { try key.suite.set(key, to: none) }?.code == .encodingFailed)
        for members in [
            #""start": 1, "duration": "NaN""#, #""start": "NaN", "duration": 1"#,
            #""start": 1, "duration": -1"#, #""start": "-Infinity", "duration": "Infinity""#,
        ] {
            #expect(refusal(of: "{\(members)}", as: DateInterval.self) != nil)
        }
    }

    @Test(arguments: [
        #"{"port": -5, "path": "//"}"#, #"{"scheme": "1 2", "path": ""}"#, #"{"scheme": "", "path": ""}"#,
        #"{"scheme": "é", "path": ""}"#, #"{"port": -9223372036854775808, "path": ""}"#, "[]", "1", #""a""#,
        "{}",
    ])
    func `parts of no URL are an error`(_ text: String) {
        #expect(refusal(of: text, as: URLComponents.self) != nil)
    }

    @Test func `odd parts of a URL are taken or refused, and nothing else`() throws {
        let odd = [
            "", "//", "%zz", "[", "]:", "a b", "\u{0}", "é", "@", "[::1", "a:b@c", "?", "#", "/..", "::",
        ]
        for name in ["user", "password", "host", "path", "query", "fragment"] {
            for text in odd {
                for scheme in ["http", nil] {
                    var members = ["path": "//x"]
                    members[name] = text
                    members["scheme"] = scheme
                    let json = String(decoding: try JSONEncoder().encode(members), as: UTF8.self)
                    _ = refusal(of: json, as: URLComponents.self)
                }
            }
        }
    }

    @Test(arguments: [
        (1, -5), (-1, 3), (-5, 5), (1, Int.max), (Int.max, 1), (Int.max, 0), (Int.min, Int.min), (0, Int.max),
    ])
    func `ranges of no indexes are an error`(location: Int, length: Int) {
        let text = #"{"indexes": [{"location": \#(location), "length": \#(length)}]}"#
        #expect(refusal(of: text, as: IndexSet.self) == "expected IndexSet, found a range of no indexes")
    }

    @Test func `a map of characters that is not whole is an error`() {
        let maps = [0, 1, 8_191, 8_193, 16_384, 16_386].map { [UInt8](repeating: 1, count: $0) }
        let planes = [0, 17, 255].map { plane in
            [UInt8](repeating: 1, count: 8_192) + [plane] + [UInt8](repeating: 1, count: 8_192)
        }
        let twice = planes[0].prefix(8_192) + [1] + planes[0].prefix(8_192) + [1] + planes[0].prefix(8_192)
        for map in maps + planes + [Array(twice)] {
            let text = #"{"bitmap": "\#(Data(map).base64EncodedString())"}"#
            #expect(
                refusal(of: text, as: CharacterSet.self)
                    == "expected CharacterSet, found no map of characters")
        }
    }

    @Test(arguments: [Int.min, -1, 0, 8, Int(Int32.max), Int(Int32.max) + 1, Int.max])
    func `a first day that no week has is an error, wherever the calendar stands`(_ day: Int) {
        for identifier in ["buddhist", "gregorian", "hebrew"] {
            let text = """
                {"identifier": "\(identifier)", "locale": {"identifier": ""}, "current": 0, "firstWeekday": \(day),
                "timeZone": {"identifier": "Etc/UTC"}, "minimumDaysInFirstWeek": 1}
                """
            let reason = "expected Calendar, found a first day that no week has"
            #expect(refusal(of: text, as: Calendar.self) == reason)
            #expect(
                refusal(of: #"{"calendar": \#(text)}"#, as: DateComponents.self) == "calendar: \(reason)")
        }
    }

    @Test(arguments: [Int.min, -1, 0, 8, Int(Int32.max), Int(Int32.max) + 1, Int.max])
    func `a first week of a length that no week has is an error, wherever the calendar stands`(_ days: Int) {
        for identifier in ["buddhist", "gregorian", "hebrew"] {
            let text = """
                {"identifier": "\(identifier)", "locale": {"identifier": ""}, "current": 0, "firstWeekday": 1,
                "timeZone": {"identifier": "Etc/UTC"}, "minimumDaysInFirstWeek": \(days)}
                """
            let reason = "expected Calendar, found a first week of a length that no week has"
            #expect(refusal(of: text, as: Calendar.self) == reason)
            #expect(
                refusal(of: #"{"calendar": \#(text)}"#, as: DateComponents.self) == "calendar: \(reason)")
        }
    }

    @Test func `a stored calendar whose week cannot begin leaves the key its default`() throws {
        let suite = DefaultsSuite.inMemory()
        let key = Defaults.Key<Calendar>("k", default: Calendar(identifier: .hebrew), suite: suite)
        try suite.setUnchecked(
            [
                "identifier": "buddhist", "locale": ["identifier": ""],
                "firstWeekday": .number(DefaultsNumber(Int.max)),
                "timeZone": ["identifier": "Etc/UTC"], "minimumDaysInFirstWeek": 1, "current": 0,
            ], forKey: "k")
        #expect(suite[key].identifier == .hebrew)
        #expect(suite.problems().map(\.code) == [.typeMismatch])
    }

    @Test func `a calendar that would not be read again is refused where it is written`() {
        #expect(
            saying { _ = try encoded(calendar(.buddhist, firstWeekday: 8)) }
                == "Calendar with a first day that no week has")
        #expect(
            saying { _ = try encoded(calendar(.buddhist, daysInFirstWeek: 8)) }
                == "Calendar with a first week of a length that no week has")
    }
}

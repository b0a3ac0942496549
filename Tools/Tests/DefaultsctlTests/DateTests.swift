/// `write --type date`: it takes what the library reads as a date, and nothing else.
import DefaultsStore
import Foundation
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(5))) struct DateTests {
    private let place: Workplace

    init() throws { place = try Workplace() }

    private func isRead(_ text: String) throws -> Bool {
        let suite = DefaultsSuite.inMemory()
        suite.onFailure = { _ in }
        try suite.set(.string(text), forKey: "k")
        return suite[Defaults.OptionalKey<Date>("k", suite: suite)] != nil
    }

    @Test(arguments: [
        "2026-11-21T18:25:48Z", "2024-02-29T12:00:00.5Z", "2000-02-29T00:00:00Z", "0001-01-01T00:00:00Z",
        "9999-12-31T23:59:59.999999999999999999999Z", "2026-11-21t18:25:48z", "2026-11-21T18:25:48+02:00",
        "2026-11-21T18:25:48.25-23:59", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59",
    ])
    func `a date that the library reads is stored as it is`(text: String) throws {
        #expect(try isRead(text))
        #expect(try place.run("write", "k", text, "--type", "date", "-s", "player").status == 0)
        #expect(try place.run("read", "k", "-s", "player").output == text + "\n")
    }

    @Test(arguments: [
        "0000-01-01T00:00:00Z", "2026-11-21T18:25:48.\u{663}Z", "\u{662}026-11-21T18:25:48Z",
        "2026-11-21T18:25:48.5\u{20E3}Z", "2026-11-21T18:25:48Z\u{301}", "2026-02-30T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-11-00T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T23:60:00Z", "2016-12-31T23:59:60Z",
        "2026-11-21T18:25:48+24:00", "2026-11-21T18:25:48+02:60", "2026-11-21T18:25:48+0200",
        "2026-11-21T18:25:48+\u{660}2:00", "2026-11-21T18:25:48", "2026-11-21T18:25:48.Z",
        "2026-11-21T18:25:48,5Z", "2026-11-21 18:25:48Z", "2026-11-21", "12026-11-21T18:25:48Z",
        "2026-11-21T18:25:48Z ", "2026-11-21T18:25:48Z\r\n", "",
    ])
    func `one that it does not read is refused`(text: String) throws {
        #expect(try !isRead(text))
        let run = try place.run("write", "k", "--type", "date", "-s", "player", "--", text)
        #expect(run.status == 65 && run.errors.contains("is no date"))
        #expect(!FileManager.default.fileExists(atPath: place.file()))
    }
}

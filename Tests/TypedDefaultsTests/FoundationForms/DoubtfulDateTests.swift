import FoundationEssentials
import TestSupport
import Testing
import TypedDefaults
import TypedDefaultsCompatibility

/// Numbers in the place of dates that somebody meant as Unix times.
@Suite(.ownThread) struct DoubtfulDateTests {
    private struct Visit: Codable, Hashable, Sendable {
        var name = ""
        var days: [Date] = []
    }

    private struct VisitSettings: SettingsManageable {
        static let suite = DefaultsSuite.inMemory()
        var opened = Date(timeIntervalSinceReferenceDate: 0)
    }

    @Test(arguments: [
        ("1700000000", "seconds"), ("1000000000", "seconds"), ("5e9", "seconds"), ("1.7e12", "milliseconds"),
        ("1000000000000", "milliseconds"), ("5000000000000", "milliseconds"), ("999999999", nil),
        ("5000000001", nil),
        ("999999999999", nil), ("5000000000001", nil), ("-1700000000", nil), ("0", nil),
        (#""2023-11-14T22:13:20Z""#, nil),
    ])
    func `a number that looks like a Unix time is reported once, and served as it is`(
        _ text: String, _ unit: String?
    ) throws {
        try withSettingsFile("{\"opened\": \(text)}") { suite, failures, folder in
            let opened = Defaults.OptionalKey<Date>("opened", suite: suite)
            for _ in 1...2 {
                let date = try #require(suite[opened])
                if let number = Double(text) { #expect(date.timeIntervalSinceReferenceDate == number) }
            }
            #expect(try suite.value(opened) == suite[opened])
            let wanted = unit.map {
                DefaultsError(
                    .ambiguousDate, suite: "settings", key: "opened", path: folder.settingsPath(), line: 1,
                    column: 12, underlyingDescription: "it looks like a Unix time in \($0)")
            }
            #expect(failures.all == [wanted].compactMap(\.self))
            if unit != nil {
                #expect(failures.all[0].description.hasSuffix(#"as a text, such as "2001-02-03T04:05:06Z"."#))
            }
        }
    }

    @Test func `the place inside a value is named, and another such number is told again`() throws {
        try withSettingsFile(#"{"visit": {"name": "a", "days": [0, 1700000000]}}"#) {
            suite, failures, folder in
            let visit = Defaults.Key<Visit>("visit", default: Visit(), suite: suite)
            #expect(suite[visit].days.count == 2)
            try folder.edit(#"{"visit": {"name": "a", "days": [1700000000000]}}"#)
            #expect(suite[visit].days.count == 1)
            #expect(
                failures.all.map(\.underlyingDescription) == [
                    "days[1]: it looks like a Unix time in seconds",
                    "days[0]: it looks like a Unix time in milliseconds",
                ])
        }
    }

    @Test func `of a secret no more is told than that it is one`() throws {
        try withSettingsFile(#"{"visit": {"name": "a", "days": [1700000000]}}"#) { suite, failures, _ in
            let visit = Defaults.Key<Visit>("visit", default: Visit(), suite: suite, secret: true)
            #expect(suite[visit].days.count == 1)
            #expect(failures.codes == [.ambiguousDate])
            #expect(failures.all[0].underlyingDescription == "no more is told, since the key is secret")
        }
    }

    @Test func `a setting of a container, whole settings and an argument are looked at too`() throws {
        let suite = DefaultsSuite.inMemory()
        let failures = FailureRecorder(suite)
        let settings = SettingsContainer(suite: suite)
        settings.register { userDefault("opened", default: .local(Date(timeIntervalSinceReferenceDate: 0))) }
        try suite.set(1_700_000_000, forKey: "opened")
        #expect((settings["opened"] as Date).timeIntervalSinceReferenceDate == 1_700_000_000)
        #expect(failures.codes == [.ambiguousDate])

        let whole = FailureRecorder(VisitSettings.suite)
        try VisitSettings.suite.set(1_700_000_000, forKey: "opened")
        var loaded = VisitSettings()
        try loaded.load()
        #expect(loaded.opened.timeIntervalSinceReferenceDate == 1_700_000_000)
        #expect(whole.all.map(\.key) == ["opened"] && whole.codes == [.ambiguousDate])

        let other = DefaultsSuite.inMemory()
        let given = FailureRecorder(other)
        let opened = Defaults.OptionalKey<Date>("opened", suite: other)
        other.addArguments(["--opened", "1700000000"])
        #expect(other[opened] != nil)
        #expect(given.codes == [.ambiguousDate])
    }
}

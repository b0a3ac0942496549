/// Durations as people write them.
import TestSupport
import Testing
import TypedDefaults

private let most = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
private let least = Duration(secondsComponent: .min, attosecondsComponent: -999_999_999_999_999_999)

/// What a file, an argument or a person may have.
private struct Reading: Sendable, CustomTestStringConvertible {
    let text: String
    let value: Duration?
    var testDescription: String { text }

    init(_ text: String, _ value: Duration?) { (self.text, self.value) = (text, value) }
}

@Suite(.ownThread) struct DurationFormTests {
    private struct Limits: Codable, Equatable {
        var pause = Duration.seconds(1)
        var all = [Duration.seconds(2)]
    }

    @Test(arguments: [
        (Duration.seconds(30), "30s"), (.seconds(5_400), "1h30m"), (.milliseconds(250), "250ms"),
        (.zero, "0s"),
        (.milliseconds(1_500), "1.5s"), (.seconds(3_601), "1h1s"), (.seconds(-90), "-1m30s"),
        (.microseconds(1), "1us"), (.nanoseconds(1_500), "1.5us"), (.nanoseconds(999), "999ns"),
        (.seconds(100 * 86_400), "2400h"),
        (Duration(secondsComponent: 0, attosecondsComponent: 1), "0.000000001ns"),
        (Duration(secondsComponent: 60, attosecondsComponent: -1), "59.999999999999999999s"),
        (Duration(secondsComponent: 0, attosecondsComponent: -1_000_000_000_000_001), "-1.000000000000001ms"),
        (most, "2562047788015215h30m7.999999999999999999s"),
        (least, "-2562047788015215h30m8.999999999999999999s"),
    ])
    func `a duration is written in the units of Go, and comes back to the attosecond`(
        value: Duration, text: String
    ) throws {
        try roundTrip(value, expectedText: "\"\(text)\"")
    }

    private static let readings = [
        Reading("30s", .seconds(30)), Reading("+1.5h", .seconds(5_400)), Reading("-.5m", .seconds(-30)),
        Reading("1y2w3d4h5m6s7ms8us9ns", .seconds(33_019_506) + .nanoseconds(7_008_009)),
        Reading("1µs", .microseconds(1)), Reading("1μs", .microseconds(1)),
        Reading("100ms100ms", .milliseconds(200)),
        Reading("30", .seconds(30)), Reading("0", .zero), Reading("-0.25", .milliseconds(-250)),
        Reading("1e3", .seconds(1_000)), Reading("+5", .seconds(5)), Reading(".5", .milliseconds(500)),
        Reading("0.1", .milliseconds(100)),
        Reading(
            "0.33333333333333333333333333333333333333h",
            .seconds(1_200) - Duration(secondsComponent: 0, attosecondsComponent: 1)),
        Reading("9223372036854775807.999999999999999999s", most),
        Reading("[0, 5]", Duration(secondsComponent: 0, attosecondsComponent: 5)),
        Reading("[-1, 18446744073709551615]", Duration(secondsComponent: 0, attosecondsComponent: -1)),
    ]

    @Test(arguments: readings)
    private func `it is read from a text, from a number of seconds and from a pair, in each domain`(
        _ reading: Reading
    ) throws {
        let suite = DefaultsSuite.inMemory()
        let (argument, variable, stored) = (
            Defaults.Key<Duration>("argument", default: .seconds(99), suite: suite),
            Defaults.Key<Duration?>("variable", suite: suite),
            Defaults.Key<Duration>("stored", default: .seconds(99), suite: suite)
        )
        suite.addArguments(["--argument=\(reading.text)"])
        suite.addEnvironment(prefix: "", in: ["VARIABLE": reading.text])
        try suite.set(text: reading.text, forKey: "stored")
        #expect(Defaults[argument] == reading.value)
        #expect(Defaults[variable] == reading.value)
        #expect(Defaults[stored] == reading.value)
    }

    @Test(arguments: [
        "", "-", ".", "s", "30 s", "30S", "30x", "1h30", "--5s", "1.2.3s", "5\u{301}s", "٣s", "PT30S",
        "Infinity",
        "9223372036854775808s", "-9223372036854775809s", "1e999", "1e38",
        "99999999999999999999999999999999999999y",
        "[1]", "[9223372036854775807, 0]", "[9.223372036854775807e18, 0]", "[0, -1]", "{}", "true", "null",
    ])
    func `another text is refused, with the key's default as the example`(_ text: String) {
        let key = Defaults.Key<Duration>("pause", default: .seconds(90), suite: .inMemory())
        let error = refusal { _ = try key.value(from: text) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.recoverySuggestion == "Give another text, such as 1m30s; nothing has changed.")
        #expect(error?.underlyingDescription?.contains("expected Duration") == true)
    }

    @Test func `one whose components would trap is an error where it is written`() throws {
        let key = Defaults.Key<Duration>("duration", default: .zero, suite: .inMemory())
        for odd in [most + .nanoseconds(1), least - .nanoseconds(1)] {
            #expect(refusal { try key.suite.set(key, to: odd) }?.code == .encodingFailed)
        }
    }

    @Test func `members and elements are written and read alike, and a validation has its bounds in words`()
        throws
    {
        try roundTrip(Limits(), expectedText: #"{"pause": "1s", "all": ["2s"]}"#)
        let old = try decoded(Limits.self, from: #"{"pause": [0, 5], "all": [1.5, "1m"]}"#)
        #expect(old.pause == Duration(secondsComponent: 0, attosecondsComponent: 5))
        #expect(old.all == [.milliseconds(1_500), .seconds(60)])
        let key = Defaults.Key<Duration>(
            "pause", default: .seconds(5), suite: .inMemory(),
            validation: .range(.seconds(1)...(.seconds(60))))
        #expect(key.allowedRange.map { [$0.lowerBound, $0.upperBound] } == ["1s", "1m"])
        #expect(key.exampleText == "5s")
        #expect(refusal { _ = try key.value(from: "2m") }?.code == .invalidValue)
    }
}

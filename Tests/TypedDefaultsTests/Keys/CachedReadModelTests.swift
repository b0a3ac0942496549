import TestSupport
import Testing
import TypedDefaults

/// Whatever happens to a suite, a key that was read before gives what one gives that never was.
@Suite(.ownThread) struct CachedReadModelTests {
    /// One type of value: a key that is read again and again, and values to store under it.
    private struct Kind<Value: Codable & Hashable & Sendable> {
        let name: String
        let standard: Value
        let values: [Value]
        let key: Defaults.Key<Value>

        init(_ name: String, _ standard: Value, _ values: [Value], _ suite: DefaultsSuite) {
            (self.name, self.standard, self.values) = (name, standard, values)
            key = Defaults.Key(name, default: standard, suite: suite)
        }

        /// What a key gives that has kept nothing yet, by the long way, which throws.
        func freshRead(_ suite: DefaultsSuite) -> Value {
            do { return try suite.value(Defaults.Key(name, default: standard, suite: suite)) } catch {
                #expect(error.code == .typeMismatch)
                return standard
            }
        }

        /// Does something to the key, or to what stands above and below what is stored.
        func change(_ suite: DefaultsSuite, _ random: inout SeededNumbers) throws {
            let value = values.randomElement(using: &random) ?? standard
            switch Int.random(in: 0..<10, using: &random) {
            case 0, 1, 2: Defaults[key] = value
            case 3: try suite.reset([key])
            case 4: try suite.setTransient(key, to: value)
            case 5: try suite.removeTransient(key)
            case 6: try suite.withTransaction { $0[key] = value }
            case 7: suite.register(defaults: [name: ["no": "value of any of these types"]])
            case 8: try suite.setUnchecked(5, forKey: name)
            default: try suite.setUnchecked(["no": "value either"], forKey: name)
            }
        }

        func check(_ suite: DefaultsSuite, _ step: Int) {
            #expect(Defaults[key] == freshRead(suite), "\(name), step \(step)")
        }
    }

    @Test(arguments: Place.allCases, [1, 2, 3] as [UInt64])
    func `a key that was read before gives what a new one gives`(_ place: Place, seed: UInt64) throws {
        try place.withFailingSuite { suite, _ in
            var random = SeededNumbers(seed: seed)
            let doubles = Kind("double", 0.25, [0, -0.0, 1.5, 1e300, .pi, .infinity], suite)
            let texts = Kind(
                "text", "none", ["", "short", "a text of more than fifteen bytes", "\"é\n", "e\u{301}"], suite
            )
            let truths = Kind("truth", false, [true, false], suite)
            let windows = Kind("window", Window(), [Window(width: 1, height: 2), Window()], suite)
            let maybes = Kind("maybe", nil as Int?, [nil, 7, .max], suite)
            for step in 0..<400 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: try doubles.change(suite, &random)
                case 1: try texts.change(suite, &random)
                case 2: try truths.change(suite, &random)
                case 3: try windows.change(suite, &random)
                case 4: try maybes.change(suite, &random)
                default: try suite.set(DefaultsValue(integerLiteral: Int128(step)), forKey: "other")
                }
                // Not all of them at each step, so that some have kept what is several changes old.
                if random.next() % 2 == 0 { doubles.check(suite, step) }
                if random.next() % 2 == 0 { texts.check(suite, step) }
                if random.next() % 2 == 0 { truths.check(suite, step) }
                if random.next() % 2 == 0 { windows.check(suite, step) }
                if random.next() % 2 == 0 { maybes.check(suite, step) }
            }
        }
    }
}

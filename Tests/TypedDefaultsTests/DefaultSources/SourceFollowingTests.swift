/// `follow(_:)`.
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread, .timeLimit(.minutes(60))) struct SourceFollowingTests {
    private let suite = DefaultsSuite.inMemory()
    private let source = ScriptedSource("live", ["a": 1], hasChanges: true)
    private let failures: FailureRecorder
    private let heard = Recorder<DefaultsValue?>()
    private let observation: DefaultsObservation

    init() {
        failures = FailureRecorder(suite)
        observation = suite.observe(forKey: "a", options: [.new]) { [heard] in heard.append($0.newValue) }
    }

    @Test func `the source is read, and then every layer taken as a whole`() async {
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        source.send(["a": 2, "b": 2])
        source.send(["a": 3])
        #expect(await heard.wait(for: 3))
        #expect(heard.all == [1, 2, 3])
        #expect(suite.dictionaryRepresentation() == ["a": 3])
        #expect(failures.all == [])
        withExtendedLifetime(following) {}
    }

    @Test func `a first read that hangs does not hold back a change`() async {
        source.hang()
        let following = suite.follow(source)
        #expect(await source.readings.wait(for: 1))
        source.send(["a": 2])
        #expect(await heard.wait(for: 1))
        #expect(heard.all == [2])
        withExtendedLifetime(following) {}
    }

    @Test func `a change keeps the layer's place among the others`() async throws {
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        try await suite.read(sources: ScriptedSource("above", ["b": 9]))
        source.send(["a": 2, "b": 2])
        #expect(await heard.wait(for: 2))
        #expect(suite.value(forKey: "b") == 9)
        withExtendedLifetime(following) {}
    }

    @Test func `a stream that fails is reported, keeps the layer, and is asked for again`() async {
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        source.answer(["a": 2])
        source.finish(ScriptedSource.Broken())
        #expect(await heard.wait(for: 2))
        #expect(await source.streams.wait(for: 2))
        source.send(["a": 3])
        #expect(await heard.wait(for: 3))
        #expect(heard.all == [1, 2, 3])
        #expect(await failures.recorder.wait(for: 2))
        #expect(
            failures.all == [
                DefaultsError(
                    .sourceFailed, suite: "in memory", underlyingDescription: #""live": it is broken"#),
                DefaultsError(
                    .recovered, suite: "in memory",
                    underlyingDescription: #""live": it has answered, and nothing of it fails"#),
            ])
        withExtendedLifetime(following) {}
    }

    @Test func `a stream that ends is reported and asked for again`() async {
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        source.finish()
        #expect(await source.streams.wait(for: 2))
        #expect(await failures.recorder.wait(for: 2))
        #expect(
            failures.all.map(\.underlyingDescription) == [
                #""live": its changes have ended"#,
                #""live": it has answered, and nothing of it fails"#,
            ])
        withExtendedLifetime(following) {}
    }

    @Test func `a source that cannot be read at first is read when it can, and the failure told once`() async
    {
        source.fail()
        let following = suite.follow(source)
        #expect(await failures.recorder.wait(for: 1))
        source.finish(ScriptedSource.Broken())
        #expect(await source.readings.wait(for: 2))
        source.finish(ScriptedSource.Broken())
        #expect(await source.readings.wait(for: 3))
        // The answer last: once it is read, a stream that fails is another failure.
        source.finish(ScriptedSource.Broken())
        source.answer(["a": 5])
        #expect(await heard.wait(for: 1))
        #expect(heard.all == [5])
        #expect(await failures.recorder.wait(for: 2))
        #expect(failures.codes == [.sourceFailed, .recovered])
        withExtendedLifetime(following) {}
    }

    @Test func `while the reading fails the stream is listened to all the same`() async {
        source.fail()
        let following = suite.follow(source)
        #expect(await failures.recorder.wait(for: 1))
        source.send(["a": 6])
        #expect(await heard.wait(for: 1))
        #expect(heard.all == [6])
        withExtendedLifetime(following) {}
    }

    @Test func `while nothing has been read the source is asked again, though its stream goes on`() async {
        source.fail()
        let following = suite.follow(source)
        #expect(await source.readings.wait(for: 3))
        source.answer(["a": 5])
        #expect(await heard.wait(for: 1))
        source.send(["a": 6])
        #expect(await heard.wait(for: 2))
        #expect(heard.all == [5, 6])
        #expect(source.streams.all.count == 1)
        #expect(await failures.recorder.wait(for: 2))
        #expect(failures.codes == [.sourceFailed, .recovered])
        withExtendedLifetime(following) {}
    }

    @Test func `a reading that hangs keeps back no layer of the stream`() async {
        source.fail()
        let following = suite.follow(source)
        #expect(await failures.recorder.wait(for: 1))
        source.hang()
        #expect(await source.readings.wait(for: 2))
        source.send(["a": 7])
        #expect(await heard.wait(for: 1))
        source.send(["a": 8])
        #expect(await heard.wait(for: 2))
        #expect(heard.all == [7, 8])
        #expect(await failures.recorder.wait(for: 2))
        #expect(failures.codes == [.sourceFailed, .recovered])
        withExtendedLifetime(following) {}
    }

    @Test func `a source that is asked again and again is let go by invalidate`() async {
        source.fail()
        let following = suite.follow(source)
        #expect(await source.readings.wait(for: 2))
        following.invalidate()
        #expect(await source.ends.wait(for: 1))
        #expect(failures.codes == [.sourceFailed])
        #expect(source.streams.all.count == 1)
    }

    @Test func `a reading that fails after the stream has failed is done again too`() async {
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        source.fail()
        source.finish(ScriptedSource.Broken())
        #expect(await source.readings.wait(for: 3))
        source.answer(["a": 2])
        #expect(await heard.wait(for: 2))
        #expect(heard.all == [1, 2])
        #expect(source.streams.all.count == 2)
        withExtendedLifetime(following) {}
    }

    @Test func `after a long failure a change is listened to at once, whatever the pause between the reads`()
        async
    {
        source.fail()
        let following = suite.follow(source)
        // The next read is four seconds away.
        #expect(await source.readings.wait(for: 5))
        let clock = ScriptedSource("clock", [:], hasChanges: true)
        clock.fail()
        let ticking = suite.follow(clock)
        source.finish(ScriptedSource.Broken())
        #expect(await source.streams.wait(for: 2))
        // The other source's fifth reading is as far away as the next read is.
        #expect(clock.readings.all.count < 5)
        source.send(["a": 2])
        #expect(await heard.wait(for: 1))
        #expect(heard.all == [2])
        withExtendedLifetime((following, ticking)) {}
    }

    @Test func `a layer that no file could hold is reported, and the next one taken`() async {
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        source.send(["": 1])
        source.send(["a": 2])
        #expect(await heard.wait(for: 2))
        #expect(heard.all == [1, 2])
        #expect(await failures.recorder.wait(for: 2))
        #expect(failures.codes == [.sourceFailed, .recovered])
        withExtendedLifetime(following) {}
    }

    @Test func `a source that cannot tell of changes is read once, again only where that failed`() async {
        let once = ScriptedSource("once", ["a": 4])
        once.fail()
        let following = suite.follow(once)
        #expect(await failures.recorder.wait(for: 1))
        once.answer(["a": 4])
        #expect(await heard.wait(for: 1))
        #expect(heard.all == [4])
        let count = once.readings.all.count
        // Another source that is read again and again meanwhile, so that this one had its chance.
        let clock = ScriptedSource("clock", [:], hasChanges: true)
        clock.fail()
        let ticking = suite.follow(clock)
        #expect(await clock.readings.wait(for: 3))
        #expect(once.readings.all.count == count)
        withExtendedLifetime((following, ticking)) {}
    }

    @Test func `no layer is taken after invalidate, and the stream is let go`() async {
        let following = suite.follow(source)
        #expect(await heard.wait(for: 1))
        following.invalidate()
        following.invalidate()
        source.send(["a": 2])
        #expect(await source.ends.wait(for: 1))
        #expect(suite.value(forKey: "a") == 1)
        #expect(failures.all == [])
    }

    @Test func `a handler may end the following whose layer it hears of`() async {
        let kept = Recorder<DefaultValueSourceSubscription>()
        let ending = suite.observe(forKey: "a", options: [.new]) { change in
            if change.newValue == 2 { for following in kept.all { following.invalidate() } }
        }
        kept.append(suite.follow(source))
        #expect(await heard.wait(for: 1))
        source.send(["a": 2])
        #expect(await source.ends.wait(for: 1))
        source.send(["a": 3])
        #expect(suite.value(forKey: "a") == 2)
        ending.invalidate()
    }

    @Test func `releasing the handle ends the following`() async {
        var following: DefaultValueSourceSubscription? = suite.follow(source)
        #expect(await heard.wait(for: 1))
        withExtendedLifetime(following) {}
        following = nil
        #expect(await source.ends.wait(for: 1))
        source.send(["a": 2])
        #expect(suite.value(forKey: "a") == 1)
    }
}

/// Sources under load: many readings, followings and writes of one suite at once.
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread, .timeLimit(.minutes(60))) struct SourceConcurrencyTests {
    @Test func `readings and followings of one suite leave each source its last layer`() async throws {
        let suite = DefaultsSuite.inMemory()
        let sources = (0..<4).map { ScriptedSource("source \($0)", ["key \($0)": 0], hasChanges: true) }
        let heard = Recorder<Int>()
        let observations = (0..<4).map { number in
            suite.observe(forKey: "key \(number)", options: [.new]) { change in
                if change.newValue == 50 { heard.append(number) }
            }
        }
        let followings = sources.map { suite.follow($0) }
        for source in sources { #expect(await source.readings.wait(for: 1)) }
        await withTaskGroup(of: Void.self) { group in
            for (number, source) in sources.enumerated() {
                group.addTask {
                    for value in 1...50 { source.send(["key \(number)": .number(DefaultsNumber(value))]) }
                }
                group.addTask {
                    for _ in 0..<20 { _ = await suite.readingError(DictionaryDefaultValueSource(["x": 1])) }
                }
            }
        }
        #expect(await heard.wait(for: 4))
        #expect(Set(heard.all) == [0, 1, 2, 3])
        #expect((0..<4).map { suite.value(forKey: "key \($0)") } == [50, 50, 50, 50])
        withExtendedLifetime((observations, followings)) {}
    }

    @Test func `followings that end while layers come take nothing afterwards`() async throws {
        for _ in 0..<20 {
            let suite = DefaultsSuite.inMemory()
            let source = ScriptedSource("source", ["a": 0], hasChanges: true)
            let heard = Recorder<DefaultsValue?>()
            let observation = suite.observe(forKey: "a", options: [.new]) { heard.append($0.newValue) }
            let following = suite.follow(source)
            #expect(await source.streams.wait(for: 1))
            let sending = Task { for value in 1...100 { source.send(["a": .number(DefaultsNumber(value))]) } }
            #expect(await heard.wait(for: 5))
            following.invalidate()
            let count = heard.all.count
            #expect(await source.ends.wait(for: 1))
            await sending.value
            // A layer whose turn had begun is completed.
            #expect(heard.all.count <= count + 1)
            observation.invalidate()
        }
    }
}

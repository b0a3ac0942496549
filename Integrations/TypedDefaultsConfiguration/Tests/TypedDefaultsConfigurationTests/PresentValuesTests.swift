/// The sequence below every watch.
import Synchronization
import Testing

@testable import TypedDefaultsConfiguration

/// A value that is read, and what has been read of it.
private final class Source: Sendable {
    let present = Mutex(1)
    let reads = Recorder<Int>()

    func read() -> Int {
        let value = present.withLock { $0 }
        reads.append(value)
        return value
    }
}

@Suite(.timeLimit(.minutes(5))) struct PresentValuesTests {
    @Test func `a ring without a change gives nothing`() async {
        let source = Source()
        let (rings, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let given = Recorder<Int>()
        let values = PresentValues(rings: rings, isSame: ==, read: source.read)
        let listening = Task { for await value in values { given.append(value) } }
        await source.reads.wait { $0.count == 1 }
        bell.yield()
        await source.reads.wait { $0.count == 2 }
        source.present.withLock { $0 = 2 }
        bell.yield()
        await given.wait { $0.last == 2 }
        bell.finish()
        await listening.value
        #expect(given.all == [1, 2])
        #expect(source.reads.all == [1, 1, 2])
    }
}

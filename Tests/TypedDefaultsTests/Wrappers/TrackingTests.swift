@testable import DefaultsStore
import Foundation
import Observation
import TestSupport
import Testing
import TypedDefaults

private struct Panel: Sendable {
    @Default<Int> var size: Int
    @Default<Int> var other: Int

    init(_ suite: DefaultsSuite) {
        _size = Default(Defaults.Key<Int>("size", default: 1, suite: suite))
        _other = Default(Defaults.Key<Int>("other", default: 1, suite: suite))
    }
}

@MainActor @Observable private final class Model {
    @ObservationIgnored @Default<Int> var size: Int
    var title = "none"

    init(_ suite: DefaultsSuite) { _size = Default(Defaults.Key<Int>("size", default: 1, suite: suite)) }
}

/// Reads through `@Default` inside `withObservationTracking`.
@Suite(.ownThread) struct TrackingTests {
    private let suite: DefaultsSuite
    private let panel: Panel
    private let fired = Recorder<Int>()

    init() {
        suite = .inMemory()
        panel = Panel(suite)
    }

    /// Tracks a read of the size, and records it as of the moment the tracking fires.
    private func track(_ panel: Panel) -> Int {
        withObservationTracking {
            panel.size
        } onChange: { [fired] in
            fired.append(panel.size)
        }
    }

    @Test func `a tracked read hears of the next change, once it has happened`() {
        #expect(track(panel) == 1)
        panel.size = 5
        #expect(fired.all == [5])
    }

    @Test func `a tracking fires once; tracking again hears again`() {
        _ = track(panel)
        for number in 2...4 { panel.size = number }
        #expect(fired.all == [2])
        #expect(track(panel) == 4)
        panel.size += 1
        #expect(fired.all == [2, 5])
    }

    @Test func `several reads and several trackings of one key all hear`() {
        for _ in 1...3 {
            _ = withObservationTracking {
                track(panel) + panel.size
            } onChange: { [fired] in
                fired.append(0)
            }
        }
        panel.size = 5
        #expect(fired.all.sorted() == [0, 0, 0, 5, 5, 5])
    }

    @Test func `a change of a key that was not read is not heard`() {
        _ = track(panel)
        panel.other = 5
        #expect(fired.all == [])
        panel.size = 5
        #expect(fired.all == [5])
    }

    @Test func `writing an equal value is no change`() {
        _ = track(panel)
        panel.size = 1
        #expect(fired.all == [])
        panel.size = 2
        #expect(fired.all == [2])
    }

    @Test func `a tracking that has read what was written quietly hears of the change back`() {
        panel.size = 2
        // It has not fired, so that its observation goes on.
        #expect(track(panel) == 2)
        Defaults.withoutPropagation { panel.size = 3 }
        #expect(track(panel) == 3)
        #expect(fired.all == [])
        panel.size = 2
        #expect(fired.all == [2, 2])
    }

    @Test func `two handles of one key hear each other`() {
        _ = track(panel)
        Panel(suite).size = 5
        #expect(fired.all == [5])
    }

    @Test(arguments: [Change.transient, .registered, .layer, .reset])
    private func `a change of the effective value is heard, whatever makes it`(_ change: Change) throws {
        if change == .reset { panel.size = 7 }
        _ = track(panel)
        try change.make(in: suite)
        #expect(fired.all == [change == .reset ? 1 : 5])
    }

    enum Change: CaseIterable {
        case transient, registered, layer, reset

        func make(in suite: DefaultsSuite) throws {
            switch self {
            case .transient: try suite.setTransient(5, forKey: "size")
            case .registered: suite.register(defaults: ["size": 5])
            case .layer: suite.context.setLayer("remote", values: ["size": 5], location: nil)
            case .reset: try suite.removeValue(forKey: "size")
            }
        }
    }

    @MainActor @Test func `an observable model's property is tracked beside its own ones`() {
        let model = Model(suite)
        let (size, title) = (Recorder<Int>(), Recorder<Int>())
        withObservationTracking {
            _ = model.size
        } onChange: {
            size.append(1)
        }
        withObservationTracking {
            _ = (model.title, model.size)
        } onChange: {
            title.append(1)
        }
        model.title = "new"
        #expect((size.all, title.all) == ([], [1]))
        model.size += 1
        #expect((size.all, title.all) == ([1], [1]))
    }

    @Test func `reads on threads other than the main one are tracked`() {
        withThreads(4) { _ in _ = track(panel) }
        panel.size = 5
        #expect(fired.all == [5, 5, 5, 5])
    }

    @Test func `a read outside of a tracking starts no observation`() throws {
        #expect(panel.size == 1)
        try #expect(!suite.hasObservers)
        _ = track(panel)
        try #expect(suite.hasObservers)
    }

    @Test func `the observation ends when the tracking has fired`() throws {
        _ = track(panel)
        panel.size = 5
        #expect(try eventually { try !suite.hasObservers })
    }

    @Test func `the observation ends when the tracking has fired for another property`() throws {
        withObservationTracking {
            _ = (panel.size, panel.other)
        } onChange: { [fired] in
            fired.append(0)
        }
        panel.other = 5
        #expect(fired.all == [0])
        #expect(try eventually { try !suite.hasObservers })
    }

    @Test func `a tracking begun while the suite cannot be opened fires with the next one`() throws {
        let folder = try TemporaryFolder()
        let suite = try folder.suite()
        let failures = FailureRecorder(suite)
        let panel = Panel(suite)
        // A file where the suite's folder has to be.
        try folder.write("", to: "settings")
        #expect(track(panel) == 1)
        #expect(!failures.all.isEmpty)
        try FileManager.default.removeItem(atPath: "\(folder.path)/settings")
        #expect(track(panel) == 1)
        panel.size = 5
        #expect(fired.all == [5, 5])
    }

    @Test func `what a tracking's closure captured goes when it has fired`() {
        weak var leaked: Recorder<Int>?
        do {
            let captured = Recorder<Int>()
            leaked = captured
            withObservationTracking {
                _ = panel.size
            } onChange: {
                captured.append(1)
            }
        }
        #expect(leaked != nil)
        panel.size = 5
        #expect(eventually { leaked == nil })
    }

    @Test func `Observations gives the values as they change`() async {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        let panel = panel
        var values = Observations { panel.size }.makeAsyncIterator()
        #expect(await values.next() == 1)
        panel.size = 5
        #expect(await values.next() == 5)
    }
}

/// Observers that were begun while the suite could not be opened.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct LateObserverTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("{\"a\": 1}", to: "settings/settings.json")
        suite = try folder.suite()
        suite.onFailure = { _ in }
    }

    /// Runs a body while there are no descriptors to be had.
    private func withoutDescriptors<Result>(_ body: () throws -> Result) rethrows -> Result {
        let rules = ["open", "openat", "openat(O_PATH)"].map {
            FaultInjection.Rule($0, errno: EMFILE, lasts: true)
        }
        return try FaultInjection.$current.withValue(FaultInjection(rules), operation: body)
    }

    @Test func `they hear of what is stored, and of all changes, once the suite has been opened`() throws {
        let (events, calls) = (Recorder<DefaultsChange>(), Recorder<Void>())
        let observations = withoutDescriptors {
            [
                suite.observe(forKey: "a") { events.append($0) },
                suite.observeAll(options: []) { calls.append(()) },
            ]
        }
        #expect(events.all.map(\.newValue) == [nil])
        #expect(suite.value(forKey: "a") == 1)
        #expect(events.wait(for: 2))
        try suite.set(2, forKey: "a")
        #expect(events.wait(for: 3))
        try folder.saveByRename("{\"a\": 3}")
        #expect(events.wait(for: 4))
        #expect(events.all.map(\.newValue) == [nil, 1, 2, 3])
        #expect(events.all.dropFirst().map(\.oldValue) == [nil, 1, 2])
        #expect(calls.wait(for: 3))
        for observation in observations { observation.invalidate() }
        try suite.set(4, forKey: "a")
        #expect(events.all.count == 4)
        #expect(try suite.context.store().hasObservers == false)
    }

    @Test func `an observer of all keys hears of a key that it was told of and that is gone`() throws {
        let events = Recorder<[DefaultsChange]>()
        let observation = try withoutDescriptors {
            try suite.setTransient(1, forKey: "t")
            let observation = suite.observeAll { events.append($0) }
            try suite.removeTransient(forKey: "t")
            return observation
        }
        #expect(events.all.first?.map(\.key) == ["t"])
        #expect(suite.value(forKey: "a") == 1)
        #expect(events.wait(for: 2))
        #expect(events.all[1].map(\.key).sorted() == ["a", "t"])
        #expect(events.all[1].first { $0.key == "t" }?.newValue == nil)
        observation.invalidate()
    }

    @Test func `one that was the last to keep its suite is off the list when it has ended`() throws {
        let other = try DefaultsSuite(
            "settings", in: folder.path + "/../" + folder.path.split(separator: "/").last!)
        var handle: DefaultsSuite? = try folder.suite()
        handle?.onFailure = { _ in }
        var observation: DefaultsObservation? = withoutDescriptors { [handle] in
            handle?.observe(forKey: "a") { [handle] _ in _ = handle }
        }
        #expect(handle?.value(forKey: "a") == 1)
        handle = nil
        let store = try other.context.store()
        #expect(store.hasObservers)
        observation?.invalidate()
        observation = nil
        #expect(!store.hasObservers)
    }

    @Test func `those that have ended by then hear nothing`() throws {
        let events = Recorder<DefaultsChange>()
        withoutDescriptors { suite.observe(forKey: "a", options: []) { events.append($0) } }.invalidate()
        try suite.set(2, forKey: "a")
        #expect(events.all.isEmpty)
        #expect(try suite.context.store().hasObservers == false)
        #expect(suite.context.lateObservers.withLock { $0.isEmpty })
    }
}

/// Observers that were begun while the suite could not be opened.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)), .ownThread) struct LateObserverTests {
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
        let rules = ["open", "openat", "openat(O_PATH)"].map { Faults.Rule($0, errno: EMFILE, lasts: true) }
        return try Faults.$current.withValue(Faults(rules), operation: body)
    }

    @Test func `they hear of what is stored, and of all changes, once the suite has been opened`() throws {
        let (events, calls) = (Recorder<DefaultsChange>(), Recorder<Void>())
        let observations = withoutDescriptors {
            [
                suite.observe(key: "a") { events.append($0) },
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
        #expect(try suite.core.store().hub.hasSubscriptions == false)
    }

    @Test func `those that have ended by then hear nothing`() throws {
        let events = Recorder<DefaultsChange>()
        withoutDescriptors { suite.observe(key: "a", options: []) { events.append($0) } }.invalidate()
        try suite.set(2, forKey: "a")
        #expect(events.all.isEmpty)
        #expect(try suite.core.store().hub.hasSubscriptions == false)
        #expect(suite.core.lateObservers.withLock { $0.isEmpty })
    }
}

/// Which store a place leads to, found with no lock held while files are looked at.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct SuiteRegistryTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func location(_ name: String) -> SuiteLocation {
        SuiteLocation(folder: "\(folder.path)/\(name)", allowsInsecureDirectory: false)
    }

    @Test func `a store is compared with its files while others open suites`() throws {
        let first = try SuiteRegistry.store(at: location("s"))
        let asked = Recorder<Bool>()
        let second = try SuiteRegistry.store(at: location("s")) { files in
            // On another thread, which would wait for this one if the registry were locked.
            let answered = Recorder<Int>()
            Thread.detachNewThread { answered.append(SuiteRegistry.openStores.count) }
            asked.append(answered.wait(for: 1))
            return files.isCurrent()
        }
        #expect(first === second)
        #expect(asked.all == [true])
    }

    @Test func `a store that was moved away is passed over, and asked once`() throws {
        let first = try SuiteRegistry.store(at: location("s"))
        let asked = Recorder<Void>()
        let moved = try SuiteRegistry.store(at: location("s")) { _ in
            asked.append(())
            return false
        }
        #expect(first !== moved)
        #expect(asked.all.count == 1)
        // The older one comes first.
        #expect(try SuiteRegistry.store(at: location("s")) === first)
    }

    @Test func `threads that open one place at once get one store`() throws {
        let found = Recorder<SettingsStore>()
        for round in 1...50 {
            let place = location("s \(round)")
            try withThreads(8) { _ in found.append(try SuiteRegistry.store(at: place)) }
            let stores = found.all
            #expect(stores.count == 8 && stores.allSatisfy { $0 === stores[0] })
            found.removeAll()
        }
    }

    @Test func `what a suite's handler held may open suites when it goes, while others are opened`() throws {
        let rounds = Recorder<Int>()
        let folder = folder.path
        // Threads that are waited for with a limit: under a lock they would wait for ever.
        Thread.detachNewThread {
            for _ in 0..<2_000 {
                do {
                    let suite = try DefaultsSuite(file: folder + "/x.json")
                    let opener = Opener(folder + "/y.json")
                    suite.onFailure = { _ in withExtendedLifetime(opener) {} }
                } catch { Issue.record(error) }
            }
            rounds.append(1)
        }
        Thread.detachNewThread {
            while rounds.all.isEmpty {
                do { _ = try DefaultsSuite(file: folder + "/z.json") } catch { Issue.record(error) }
            }
            rounds.append(2)
        }
        #expect(rounds.wait(for: 2))
    }

    @Test func `what a log's handler held may fail when it goes, while others are attached`() throws {
        let store = try SuiteRegistry.store(at: location("s"))
        let rounds = Recorder<Int>()
        Thread.detachNewThread {
            for _ in 0..<5_000 {
                let log = FailureLog(suite: "x")
                let attached = Attacher(store)
                log.handler = { _ in withExtendedLifetime(attached) {} }
                store.attach(log)
            }
            rounds.append(1)
        }
        Thread.detachNewThread {
            while rounds.all.isEmpty { store.attach(FailureLog(suite: "y")) }
            rounds.append(2)
        }
        #expect(rounds.wait(for: 2))
    }
}

/// Opens a suite when it ends, as an object does that saves something then.
private final class Opener: Sendable {
    private let path: String

    init(_ path: String) { self.path = path }

    deinit {
        do { _ = try DefaultsSuite(file: path) } catch { Issue.record(error) }
    }
}

/// Attaches a log when it ends, as an object does that uses a suite then.
private final class Attacher: Sendable {
    private let store: SettingsStore

    init(_ store: SettingsStore) { self.store = store }

    deinit { store.attach(FailureLog(suite: "z")) }
}

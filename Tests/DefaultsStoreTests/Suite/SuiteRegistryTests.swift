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
        let found = Recorder<SuiteStore>()
        for round in 1...50 {
            let place = location("s \(round)")
            try withThreads(8) { _ in found.append(try SuiteRegistry.store(at: place)) }
            let stores = found.all
            #expect(stores.count == 8 && stores.allSatisfy { $0 === stores[0] })
            found.removeAll()
        }
    }
}

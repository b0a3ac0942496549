/// What is noticed while something is loaded for the observers is loaded behind that, by the thread that is at it.
@testable import DefaultsStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct NoticedMeanwhileTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite
    private let store: SettingsStore

    init() throws {
        folder = try TemporaryFolder()
        // Also the checkpoint that follows a set loads what it does not find done.
        suite = try folder.heldSuite()
        store = try suite.context.store()
        try suite.set(1, forKey: "a")
        try suite.checkpoint()
        try suite.awaitOld()
    }

    private var isAtRest: Bool {
        !store.monitor.isCheckDue && store.monitor.work.isIdle && !store.latest.isRecent
    }

    @Test func `a notice in the middle of a load is not taken for one that the load has seen`() throws {
        let heard = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { heard.append($0.newValue) }
        defer { observation.invalidate() }
        #expect(eventually { isAtRest })
        // As the thread does that sees to what was noticed before.
        store.monitor.work.begin()
        try folder.saveByRename(#"{"a": 2}"#)
        #expect(eventually { store.monitor.work.isWantedAgain })
        // Nobody else begins; the one who is at it does.
        store.monitor.catchUpSoon()
        #expect(store.monitor.work.isWantedAgain && heard.all.isEmpty)
        #expect(store.monitor.work.end())
        store.monitor.work.perform(by: .shared, on: store.resource)
        #expect(heard.wait(for: 1))
        #expect(heard.all == [2])
    }

    @Test func `of saves that follow each other at once each last one is heard, and loading comes to rest`()
        throws
    {
        let heard = Recorder<DefaultsValue?>()
        let observation = suite.observe(forKey: "a", options: [.new]) { heard.append($0.newValue) }
        defer { observation.invalidate() }
        suite.onFailure = { _ in }
        for number in 2...6 {
            try folder.saveByRename("{")
            try folder.saveByRename("{\"a\": \(number)}")
            #expect(heard.wait(for: number - 1))
            #expect(eventually { store.monitor.work.isIdle })
        }
        #expect(heard.all == [2, 3, 4, 5, 6])
    }

    @Test func `a second look at a file that is what it was makes nobody look again`() throws {
        let observation = suite.observe(forKey: "a") { _ in }
        defer { observation.invalidate() }
        #expect(eventually { isAtRest })
        try suite.set(2, forKey: "a")
        try suite.checkpoint()
        try EventLoop.shared.drain()
        _ = try store.state()
        // Young enough for its times not to tell; the look comes some time after what has come of the notices.
        let (recent, epoch) = (store.latest, store.epoch)
        store.monitor.checkAgain(.atRecentFile)
        #expect(eventually { !store.latest.isRecent })
        #expect(recent.identity == store.latest.identity && store.epoch == epoch)
    }

    @Test func `a second look finds what the times of a file did not tell`() throws {
        let observation = suite.observe(forKey: "a") { _ in }
        defer { observation.invalidate() }
        try EventLoop.shared.drain()
        #expect(eventually { isAtRest })
        // As if the file had been read of which only the times are known.
        let present = store.latest
        let other = SettingsDocument.read(Array(#"{"a": 3}"#.utf8)).document
        store.publish(
            StoreSnapshot(
                values: present.values.replayed(on: other), generation: present.generation,
                epoch: present.epoch,
                identity: present.identity, files: present.files, journal: present.journal,
                begun: present.begun, isRecent: true))
        #expect(store.latest.values.value(forKey: KeyName("a"))?.value == 3)
        store.monitor.checkAgain(.atRecentFile)
        #expect(eventually { store.latest.values.value(forKey: KeyName("a"))?.value == 1 })
    }
}

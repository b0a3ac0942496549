/// Many editors rename the file away, or empty it, before they write it anew: that moment is not taken for an empty suite.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)), .ownThread) struct AbsentForAMomentTests {
    private let folder: TemporaryFolder
    private let suite: DefaultsSuite

    init() throws {
        folder = try TemporaryFolder()
        // Or what was set might be in the file before it is saved, and the save take it away.
        suite = try folder.heldSuite()
        try suite.context.startWatching()
        try suite.set(0, forKey: "n")
        try suite.checkpoint()
    }

    /// What an editor does with the file before it writes it anew.
    enum Manner: CaseIterable, Sendable { case away, emptied }

    /// How long a file that has gone is waited for, but for some time for whoever has seen it go.
    private static func gracePeriod(_ manner: Manner) -> Duration {
        let whole = manner == .away ? Loader.gracePeriodInNanoseconds : Loader.emptiedGracePeriodInNanoseconds
        return .nanoseconds(whole) - .milliseconds(20)
    }

    /// Saves as vim does, or most other programs, with a few milliseconds in between.
    ///
    /// - Parameter meanwhile: what the program does in that time, and after it.
    /// - Returns: whether it was no longer than files are waited for.
    private func save(_ text: String, _ manner: Manner, meanwhile: () throws -> Void = {}) throws -> Bool {
        let path = folder.settingsPath()
        let isShort = Locked(false)
        let (isAway, isBack) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let begin = ContinuousClock.now
            var file = manner == .emptied ? open(path, O_WRONLY | O_TRUNC) : -1
            if manner == .away { #expect(rename(path, path + "~") == 0) }
            isAway.signal()
            poll(nil, 0, 5)
            if manner == .away { file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
            #expect(write(file, text, text.utf8.count) == text.utf8.count)
            close(file)
            isShort.withLock { $0 = ContinuousClock.now - begin < Self.gracePeriod(manner) }
            if manner == .away { #expect(unlink(path + "~") == 0) }
            isBack.signal()
        }
        isAway.wait()
        try meanwhile()
        isBack.wait()
        return isShort.withLock { $0 }
    }

    /// Does something as often as it takes for twenty short moments.
    private func inShortMoments(_ body: (Int) throws -> Bool) rethrows {
        var short = 0
        for round in 1...500 where short < 20 {
            if try body(round) { short += 1 }
        }
        #expect(short == 20)
    }

    @Test(arguments: Manner.allCases)
    func `an observer hears of one change, and not that there was nothing`(_ manner: Manner) throws {
        let events = Recorder<DefaultsChange>()
        let observation = suite.observe(forKey: "n", options: [.old, .new]) { events.append($0) }
        try inShortMoments { round in
            let number = DefaultsValue(round)
            let isShort = try save("{\"n\": \(round)}", manner)
            #expect(events.wait { $0.last?.newValue == number })
            if isShort { #expect(events.all.map(\.newValue) == [number]) }
            events.removeAll()
            return isShort
        }
        observation.invalidate()
    }

    @Test(arguments: Manner.allCases)
    func `a read finds the old value or the new one`(_ manner: Manner) throws {
        try inShortMoments { round in
            var found: DefaultsValue?
            let isShort = try save("{\"n\": \(round)}", manner) { found = suite.value(forKey: "n") }
            if isShort { #expect(found == DefaultsValue(round) || found == DefaultsValue(round - 1)) }
            #expect(eventually { suite.value(forKey: "n") == DefaultsValue(round) })
            return isShort
        }
    }

    @Test(arguments: Manner.allCases)
    func `what is computed from a value is computed from that which is saved`(_ manner: Manner) throws {
        try inShortMoments { round in
            let isShort = try save("{\"n\": \(10 * round)}", manner) {
                let isDone = eventually {
                    let error = refusal {
                        try suite.withTransaction { tx in
                            let number = try tx.storedValue(forKey: "n")?.int ?? 0
                            tx[key: "n"] = DefaultsValue(number + 1)
                        }
                    }
                    #expect(error == nil || error?.code == .conflict)
                    return error == nil
                }
                #expect(isDone)
            }
            // Or it was done before the file was seen to have gone, and stands over what was saved.
            let expected = [10 * round + 1, 10 * (round - 1) + 2].map(DefaultsValue.init)
            let found = try #require(try suite.storedValues()["n"])
            if isShort { #expect(expected.contains(found), "\(round)") }
            try suite.set(DefaultsValue(10 * round + 1), forKey: "n")
            try suite.checkpoint()
            return isShort
        }
    }

    @Test(arguments: Manner.allCases)
    func `a checkpoint loses neither what was set nor what is saved`(_ manner: Manner) throws {
        try inShortMoments { round in
            try suite.set(DefaultsValue(round), forKey: "set")
            let isShort = try save("{\"saved\": \(round)}", manner) { try suite.checkpoint() }
            if isShort {
                try suite.checkpoint()
                #expect(try folder.foreignReading() == ["set": round, "saved": round])
            }
            return isShort
        }
    }
}

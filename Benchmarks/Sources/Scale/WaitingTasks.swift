import Foundation
import Measuring
import TypedDefaults

/// Asynchronous work of a process whose tasks wait for another one's lock.
extension Stage {
    /// How long other tasks stand still while as many as the pool has threads wait for the lock.
    func waitingTasks() throws -> [Row] {
        let aside = try standstill(beside: .waitAside)
        let waiting = try standstill(beside: .wait)
        let alone = try standstill(beside: .beat)
        let held = "\(decimal(extent.held, extent.held < 1 ? 1 : 0)) s"
        return [
            Row(
                what: "other tasks stand still while tasks wait \(held) for a lock", figure: waiting,
                beside: "none waits", control: alone),
            Row(
                what: "the same with suite.async.set", figure: aside, beside: "with set", control: waiting),
        ]
    }

    private func standstill(beside part: Part.Name) throws -> Figure {
        let place = try makeSuite("waiting", keys: extent.keys.small).folder
        let page = place + "/page"
        let milliseconds = "\(Int(extent.held * 1000))"
        let holder = try start(.hold, in: place, [page, milliseconds])
        try SharedNumbers(path: page, count: 1).wait(0, reaches: 1)
        let longest = try play(part, in: place, [milliseconds])[0]
        try holder.finish()
        return .time(longest)
    }
}

extension Part {
    /// Has the lock for a while.
    func hold() throws {
        let page = try SharedNumbers(path: words[0], count: 1)
        try suite.withTransaction { transaction in
            transaction[key: "held"] = 1
            page[0] = 1
            Clock.pause(microseconds: number(1) * 1000)
        }
    }

    /// Prints the longest time between two beats of a task, while as many tasks as there are processors set a key.
    func beatBesideSets() async throws {
        let suite = try suite
        _ = suite.value(forKey: Sized.wanted)
        try await beat {
            let waiting = (0..<ProcessInfo.processInfo.activeProcessorCount).map { place in
                Task.detached { try suite.set(place, forKey: "waiting\(place)") }
            }
            for task in waiting { try await task.value }
        }
    }

    /// Prints the same while the tasks set the key aside of their threads.
    func beatBesideAsyncSets() async throws {
        let suite = try suite
        _ = suite.value(forKey: Sized.wanted)
        try await beat {
            let waiting = (0..<ProcessInfo.processInfo.activeProcessorCount).map { place in
                let key = Defaults.Key<Int>("waiting\(place)", default: 0, suite: suite)
                return Task.detached { try await suite.async.set(key, to: place) }
            }
            for task in waiting { try await task.value }
        }
    }

    /// Prints the same while nothing else is done.
    func beatAlone() async throws {
        try await beat { try await Task.sleep(for: .milliseconds(number(0))) }
    }

    /// Prints the longest time between two beats of a task while something is done.
    private func beat(while work: () async throws -> Void) async throws {
        let beating = Task.detached {
            var (last, longest) = (Clock.now(), 0)
            var isOver = false
            while !isOver {
                do { try await Task.sleep(for: .milliseconds(2)) } catch { isOver = true }
                let now = Clock.now()
                (last, longest) = (now, max(longest, now - last))
            }
            return longest
        }
        try await Task.sleep(for: .milliseconds(20))
        try await work()
        beating.cancel()
        print(await beating.value)
    }
}

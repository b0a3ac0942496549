import Foundation
import Glibc
import Measuring
import Synchronization

extension Bench {
    /// Item 11, for comparison: the delays from the begin of a set's bare system calls to the kernel's notice of them.
    ///
    /// None of our code is between, so no observer can be called sooner on this machine.
    func bareNotices(count: Int = 1000, pause: Int = 2000) throws -> Sample {
        let files = try BareFiles(folder: try makeFolder("bare-notices"), isWatched: true)
        let begin = Atomic<Int>(0)
        let times = Mutex<[Double]>([])
        let done = DispatchSemaphore(value: 0)
        let reader = Thread {
            for _ in 0..<count {
                files.waitForNotice()
                let now = Clock.now()
                times.withLock { $0.append(Double(now - begin.load(ordering: .acquiring))) }
                done.signal()
            }
        }
        reader.start()
        for _ in 0..<count {
            Clock.pause(microseconds: pause)
            begin.store(Clock.now(), ordering: .releasing)
            try files.makeCalls()
            // The next begins when this one was heard, as the pause sees to between processes.
            guard done.wait(timeout: .now() + 10) == .success else {
                throw SystemFailure(waitingFor: "a notice")
            }
        }
        return Sample(times.withLock { $0 })
    }
}

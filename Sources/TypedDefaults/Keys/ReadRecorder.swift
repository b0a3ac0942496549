import DefaultsStore
import Synchronization

/// Records the keys that are read while a body runs, on its thread and task.
package final class ReadRecorder: Sendable {
    /// One key as it was read: in its own suite or in another.
    package struct Read: Sendable {
        package let context: SuiteContext
        package let key: KeyName
    }

    /// The number of running bodies; if it is 0, other reads check nothing else.
    private static let running = Atomic<Int>(0)
    @TaskLocal private static var current: ReadRecorder?

    // A leaf; nothing is called under it.
    private let reads = Locked<[Read]>([])

    /// Returns what a body returns, and what it has read.
    package static func recording<Result>(_ body: () -> Result) -> (result: Result, reads: [Read]) {
        let recorder = ReadRecorder()
        running.add(1, ordering: .relaxed)
        FreshnessCell.beginBypass()
        defer {
            FreshnessCell.endBypass()
            running.subtract(1, ordering: .relaxed)
        }
        let result = $current.withValue(recorder, operation: body)
        return (result, recorder.reads.withLock { $0 })
    }

    /// Whether any body is being recorded.
    static var isRecording: Bool { running.load(ordering: .relaxed) != 0 }

    /// Records a read, if the caller is in a body that is recorded.
    package static func record(_ key: KeyName, in context: @autoclosure () -> SuiteContext) {
        guard isRecording, let current else { return }
        let read = Read(context: context(), key: key)
        current.reads.withLock { $0.append(read) }
    }
}

import Synchronization

/// The watch of the journal's bytes, which other processes append to without closing the file.
///
/// Only if there are observers: a reader checks the mapped counter.
struct JournalWatch: Sendable {
    let file: JournalFile
    let watch: Housekeeper.Watch
}

extension SuiteStore {
    /// Watches the journal that is there now, while there are observers.
    func watchJournal() {
        guard !isInherited else { return }
        var isNew = false
        var isRefused = false
        var file = fileToWatch
        while true {
            let old = journalWatch.withLock { watch -> JournalWatch? in
                guard watch?.file !== file else { return nil }
                defer {
                    watch = file.flatMap(startToWatch)
                    isRefused = file != nil && watch == nil
                }
                isNew = file != nil
                return watch
            }
            withExtendedLifetime(old) {}
            // If no watch can be had, the journal is checked once a second, as the folder is. Reporting that may run
            // user code, for which no lock may be held.
            if isRefused { lookAgain(afterMilliseconds: 1_000) }
            // Another thread may have been here in the meantime, for a later file or another observer.
            let present = fileToWatch
            if present === file { break }
            file = present
        }
        // There is no notification of what was appended between the load that found the file and the start of the
        // watch.
        if isNew { noticedRecords() }
    }

    private var fileToWatch: JournalFile? { hub.hasSubscriptions ? published.load().journal?.file : nil }

    private func startToWatch(_ file: JournalFile) -> JournalWatch? {
        do {
            let watch = try Housekeeper.shared.watch(file.descriptor, for: .bytes) { [weak self] _ in
                self?.noticedRecords()
            }
            return JournalWatch(file: file, watch: watch)
        } catch { return nil }
    }

    /// Handles bytes that were, or may have been, appended to the journal.
    private func noticedRecords() {
        let isOurs = order.withLock { order in
            if order.isCommitting { missedNotice.store(true, ordering: .relaxed) }
            return order.isCommitting
        }
        let present = published.load()
        guard !isOurs, present.files?.page?.number != present.generation else { return }
        catchUpSoon()
    }
}

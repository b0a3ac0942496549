import Synchronization

/// The watch of the journal's bytes, which other processes append to without closing it.
///
/// Only where there are observers: a reader looks at the mapped counter.
struct JournalWatch: Sendable {
    let file: JournalFile
    let watch: Housekeeper.Watch
}

extension SuiteStore {
    /// Watches the journal that is there now, while anybody observes.
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
            // Without a watch to be had, looking once a second is what the folder's watcher does too. It may have to
            // report, to a person's handler, which no lock is held for.
            if isRefused { lookAgain(afterMilliseconds: 1_000) }
            // Another thread may have been here meanwhile, for a later file or another observer.
            let present = fileToWatch
            if present === file { break }
            file = present
        }
        // Of what came between the load that found the file and the watch, no notice comes.
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

    /// Takes note of bytes that came to the journal, or may have come.
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

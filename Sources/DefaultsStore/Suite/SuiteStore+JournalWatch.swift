import Synchronization

/// The watch of the journal's bytes, which other processes append to without closing the file.
///
/// Only if there are observers: a reader checks the mapped counter.
struct JournalWatch: Sendable {
    let file: JournalFile
    let watch: Housekeeper.Watch
}

/// The watch of the settings file's bytes, which a person's program may write without closing the file.
struct SettingsWatch: Sendable {
    let file: SettingsFile.Held
    let watch: Housekeeper.Watch
}

extension SuiteStore {
    /// Watches the bytes of the files that are there now, as far as somebody wants to know of them.
    func watchFiles() {
        watchSettings()
        watchJournal()
    }

    /// Watches the settings file that is there now, once something listens.
    ///
    /// A save by renaming is heard of through the folder, and so is the closing of the file after a save in place.
    private func watchSettings() {
        guard isWatched, !isInherited else { return }
        var isNew = false
        while true {
            let state = published.load()
            guard let file = state.held, let files = state.files else { return }
            if settingsWatch.withLock({ $0?.file === file }) { break }
            do {
                let sights = sights
                let watch = try file.watch(in: files.place, errand) { notice in
                    // That the file is gone, because another one has taken its place, is heard of through the folder.
                    guard !notice.isEnd else { return false }
                    sights.add(.beingWritten)
                    return true
                }
                settingsWatch.exchange(SettingsWatch(file: file, watch: watch))
            } catch {
                // It is heard of when it is closed, as on systems where no file can be watched.
                return
            }
            // Another thread may have been here in the meantime, with another file.
            isNew = true
        }
        // There is no notification of what was written between the load and the start of the watch.
        if isNew, isEdited { noticed(.beingWritten) }
    }

    /// Whether the settings file is not the version that was loaded last.
    private var isEdited: Bool {
        let state = published.load()
        do { return try identityOnDisk(state) != state.identity } catch {
            // A load runs into the same error, and reports it.
            return true
        }
    }

    /// Whether the settings file of a state is another one than the one that is watched.
    func isUnwatched(_ file: SettingsFile.Held?) -> Bool {
        file != nil && settingsWatch.withLock { $0?.file !== file }
    }

    /// Watches the journal that is there now, while there are observers.
    func watchJournal() {
        guard !isInherited else { return }
        var isNew = false
        while true {
            let file = fileToWatch
            if journalWatch.withLock({ $0?.file === file }) { break }
            let fresh = file.flatMap(startToWatch)
            isNew = file != nil
            let isRefused = isNew && fresh == nil
            journalWatch.exchange(fresh)
            // If no watch can be had, the journal is checked once a second, as the folder is.
            if isRefused {
                lookAgain(afterMilliseconds: 1_000)
                break
            }
            // Another thread may have been here in the meantime, for another file or another observer.
        }
        // There is no notification of what was appended between the load that found the file and the start of the
        // watch.
        if isNew, hasForeignRecords { catchUpSoon() }
    }

    private var fileToWatch: JournalFile? { hub.hasSubscriptions ? published.load().journal?.file : nil }

    private func startToWatch(_ file: JournalFile) -> JournalWatch? {
        do {
            let (sights, page) = (sights, published.load().files?.page)
            let watch = try Housekeeper.shared.watch(file.descriptor, for: .bytes, in: place, errand) { _ in
                // Mostly it is a commit of this process, which has been published by now.
                guard page?.number != sights.generation.load(ordering: .relaxed) else { return false }
                sights.add(.recorded)
                return true
            }
            return JournalWatch(file: file, watch: watch)
        } catch { return nil }
    }
}

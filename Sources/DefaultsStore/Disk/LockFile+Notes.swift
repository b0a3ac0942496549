/// What processes tell each other about the settings file's text.
///
/// It is never synced, nothing depends on its being there, and none of it needs the lock; power loss may take it
/// back.
///
/// | bytes of the lock file | meaning |
/// |---|---|
/// | 64-95 | the length and the two hashes of a text that was read to its end and found searchable, and a check |
/// | 96-119 | the version of the file that has a ``TextIndex``, its number of pages, and a check |
/// | 120-135 | the version whose reads without an index are counted, and how many processes there were |
/// | from 4096 | the pages of the index |
extension SuiteFiles {
    /// Notes a text that need not be read to its end again.
    func note(checked fingerprint: TextFingerprint) {
        note(
            (
                fingerprint.length.littleEndian, fingerprint.one.littleEndian, fingerprint.other.littleEndian,
                fingerprint.check.littleEndian
            ), at: MappedPage.printPlace)
    }

    /// Notes the index that follows the first page.
    func note(_ index: TextIndexPages) {
        note(
            (index.series.littleEndian, index.count.littleEndian, index.check.littleEndian),
            at: MappedPage.indexPlace)
    }

    /// Notes how many processes have read a version of the file without an index.
    func note(opens: UInt64, ofSeries series: UInt64) {
        note((series.littleEndian, opens.littleEndian), at: MappedPage.opensPlace)
    }

    private func note<Numbers: BitwiseCopyable>(_ numbers: Numbers, at place: Int) {
        guard let page, LockFile.isKnown(page) else { return }
        switch lock {
        case .some(let lock):
            do { try SystemCalls.write(numbers: numbers, to: lock, at: place) } catch {
                // The only consequence is that the next process does the same work again.
                return
            }
        case .none: return
        }
    }

    /// Writes the pages of an index.
    ///
    /// - Returns: whether there was room for them, on the disk and within the process's limits.
    func write(_ index: [UInt64]) -> Bool {
        guard let page, LockFile.isKnown(page) else { return false }
        let length = index.count * 8
        // Beyond its limit the kernel kills the process, which has only asked to read; and the free space of a disk
        // is for what is written.
        guard SystemCalls.mostBytesOfFile >= MappedPage.size + length else { return false }
        switch lock {
        case .some(let lock):
            guard SystemCalls.freeBytes(beside: lock) / 16 >= length else { return false }
            return index.withUnsafeBytes {
                SystemCalls.writeWhatFits($0, to: lock, at: MappedPage.size).error == nil
            }
        case .none: return false
        }
    }

    /// Returns a page of the index; empty if the lock file may not be opened.
    func indexPage(_ number: Int) throws(DefaultsError) -> [UInt8] {
        switch lock {
        case .some(let lock):
            do {
                return try SystemCalls.read(
                    lock, count: TextIndex.pageSize, at: MappedPage.size + number * TextIndex.pageSize,
                    once: true)
            } catch {
                throw .reading(location.lockPath, error)
            }
        case .none: return []
        }
    }
}

/// Which pages after the first one of the lock file are an index.
struct TextIndexPages: Hashable, Sendable {
    let series: UInt64
    /// A power of two; 0 if the text cannot have an index.
    let count: UInt64

    /// Whether the two belong together: they are not written in one step.
    var check: UInt64 { WordHash(seed: 0x5444_5049_4E44_4558).adding(series, count).state }
}

extension MappedPage {
    fileprivate static let printPlace = 64
    fileprivate static let indexPlace = 96
    fileprivate static let opensPlace = 120

    /// The noted text; nil if there is none, or the note is only half written.
    var checkedText: TextFingerprint? {
        let place = MappedPage.printPlace
        let fingerprint = TextFingerprint(
            length: number(at: place), one: number(at: place + 8), other: number(at: place + 16))
        return fingerprint.check == number(at: place + 24) ? fingerprint : nil
    }

    /// The noted index; nil if there is none, or the note is only half written.
    var textIndex: TextIndexPages? {
        let place = MappedPage.indexPlace
        let pages = TextIndexPages(series: number(at: place), count: number(at: place + 8))
        guard pages.check == number(at: place + 16), pages.count & (pages.count &- 1) == 0,
            pages.count < 1 << 20
        else { return nil }
        return pages
    }

    /// Returns how many processes have read a version of the file without an index.
    func opens(ofSeries series: UInt64) -> UInt64 {
        number(at: MappedPage.opensPlace) == series ? number(at: MappedPage.opensPlace + 8) : 0
    }
}

/// When the index of a large file is made, and for which versions of it.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct TextIndexNoteTests {
    private let folder = IndexedFolder.made

    @Test func `the third process that opens a version makes the index`() throws {
        let folder = try folder()
        let files = try folder.files()
        let read = try folder.read(files)
        for opened in 1...3 as ClosedRange<UInt64> {
            #expect(files.page?.textIndex == nil)
            TextIndexNote.consider(
                read.document, read.status, at: read.status.changed + TextIndexNote.rest + 1, files)
            #expect(files.page?.opens(ofSeries: read.series) == min(opened, 2))
        }
        #expect(files.page?.textIndex == TextIndexPages(series: read.series, count: 8))
        #expect(try folder.lockFile().count == 9 * 4_096)
    }

    @Test func `no index is made of a file that has not rested`() throws {
        let folder = try folder()
        let files = try folder.files()
        let read = try folder.read(files)
        // Of a file from the future too, nothing tells whether it rests.
        let rest = TextIndexNote.rest
        for time in [read.status.changed + rest, read.status.changed, read.status.changed - rest - 1] {
            for _ in 0..<4 { TextIndexNote.consider(read.document, read.status, at: time, files) }
        }
        #expect(files.page?.textIndex == nil)
        #expect(files.page?.opens(ofSeries: read.series) == 0)
    }

    @Test func `another version is counted anew`() throws {
        let folder = try folder()
        let files = try folder.files()
        let before = try folder.read(files)
        let time = before.status.changed + 60_000_000_000
        for _ in 0..<2 { TextIndexNote.consider(before.document, before.status, at: time, files) }
        try folder.replace(value: 1)
        let after = try folder.read(files)
        #expect(after.series != before.series)
        TextIndexNote.consider(after.document, after.status, at: time, files)
        #expect(files.page?.opens(ofSeries: after.series) == 1)
        #expect(files.page?.textIndex == nil)
    }

    @Test func `where there is one, nothing is counted and nothing made`() throws {
        let folder = try folder()
        let files = try folder.files()
        try folder.makeIndex()
        let before = try folder.lockFile()
        let read = try folder.read(files)
        for _ in 0..<4 {
            TextIndexNote.consider(
                read.document, read.status, at: read.status.changed + 60_000_000_000, files)
        }
        #expect(try folder.lockFile() == before)
    }

    @Test(arguments: ["\"\\u0061\": 1", "\"key-number-101500\": 2"])
    func `that a text can have no index is noted once`(member: String) throws {
        let folder = try folder()
        let text = IndexedFolder.text().dropLast(3) + ",\n  \(member)\n}\n"
        try folder.replace(Array(text.utf8))
        let files = try folder.files()
        let read = try folder.read(files)
        for _ in 0..<3 {
            TextIndexNote.consider(
                read.document, read.status, at: read.status.changed + 60_000_000_000, files)
        }
        #expect(files.page?.textIndex == TextIndexPages(series: read.series, count: 0))
        #expect(try folder.lockFile().count == 4_096)
        #expect(
            try folder.read("key-number-101501", beside: files) == .init(value: 101_501, isLookedUp: false))
    }

    @Test func `of a small file there is no index`() throws {
        let folder = try folder()
        try folder.replace(Array("{\n  \"key-number-100001\": 1\n}\n".utf8))
        let files = try folder.files()
        let read = try folder.read(files)
        for _ in 0..<4 {
            TextIndexNote.consider(
                read.document, read.status, at: read.status.changed + 60_000_000_000, files)
        }
        #expect(files.page?.textIndex == nil)
        #expect(files.page?.opens(ofSeries: read.series) == 0)
    }

    @Test func `a text that was only searched is read for it`() throws {
        let folder = try folder()
        let files = try folder.files()
        let read = try folder.read(files)
        let document = SettingsDocument(checked: read.document.bytes)
        TextIndexNote.make(of: document, read.series, files)
        #expect(files.page?.textIndex?.count == 8)
        #expect(
            try folder.read("key-number-102999", beside: files) == .init(value: 102_999, isLookedUp: true))
    }

    @Test func `two that make the index of one version write the same bytes`() throws {
        let folder = try folder()
        try folder.makeIndex()
        let before = try folder.lockFile()
        try folder.makeIndex()
        #expect(try folder.lockFile() == before)
    }

    @Test func `the lock file of a newer format is left as it is`() throws {
        let folder = try folder()
        #expect(try folder.read("key-number-100000").value == 100_000)
        try folder.patch([2, 0], at: 14)
        let before = try folder.lockFile()
        try folder.makeIndex(expecting: nil)
        #expect(try folder.lockFile() == before)
        #expect(try folder.read("key-number-100000") == .init(value: 100_000, isLookedUp: false))
    }

    @Test func `processes that open a file at rest make the index, and look their keys up`() throws {
        let folder = try folder()
        #expect(try folder.folder.awaitIndex(reading: "key-number-100500"))
        let peer = try Peer.opening(in: folder.folder)
        #expect(try peer.ask("get key-number-102999") == "102999")
        #expect(try peer.ask("loaded") == "false")
    }

    @Test func `a version is told by all that the system knows of it, and by the start of the system`() {
        var status = stat()
        (status.st_dev, status.st_ino, status.st_size) = (1, 2, 3)
        (status.st_mtim, status.st_ctim) = (timespec(tv_sec: 4, tv_nsec: 5), timespec(tv_sec: 6, tv_nsec: 7))
        let changes: [(inout stat) -> Void] = [
            { $0.st_dev += 1 }, { $0.st_ino += 1 }, { $0.st_size += 1 }, { $0.st_mtim.tv_nsec += 1 },
            { $0.st_mtim.tv_sec += 1 }, { $0.st_ctim.tv_nsec += 1 }, { $0.st_ctim.tv_sec += 1 },
        ]
        var series: Set = [
            TextIndexNote.series(of: FileStatus(status), sinceStart: 8),
            TextIndexNote.series(of: FileStatus(status), sinceStart: 9),
        ]
        for change in changes {
            var other = status
            change(&other)
            series.insert(TextIndexNote.series(of: FileStatus(other), sinceStart: 8))
        }
        #expect(series.count == 2 + changes.count)
    }

    @Test func `a start of the system has the number of its id`() throws {
        let id = Array(try Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id")))
        #expect(SystemCalls.bootNumber != nil && SystemCalls.bootNumber == SystemCalls.number(ofStart: id))
        var other = id
        other[id.count / 2] ^= 1
        #expect(SystemCalls.number(ofStart: other) != SystemCalls.number(ofStart: id))
        #expect(SystemCalls.number(ofStart: Array(id.prefix(31))) == nil)
    }

    @Test func `a count that is damaged is counted anew`() throws {
        let folder = try folder()
        let files = try folder.files()
        let read = try folder.read(files)
        files.note(opens: .max, ofSeries: read.series)
        TextIndexNote.consider(
            read.document, read.status, at: read.status.changed + TextIndexNote.rest + 1, files)
        #expect(files.page?.textIndex == TextIndexPages(series: read.series, count: 8))
    }

    @Test(arguments: ["pwrite", "fstatvfs"])
    func `an index that there is no room for is tried again by the third process after that`(call: String)
        throws
    {
        let folder = try folder()
        let files = try folder.files()
        let read = try folder.read(files)
        func open() {
            TextIndexNote.consider(
                read.document, read.status, at: read.status.changed + TextIndexNote.rest + 1, files)
        }
        open()
        open()
        FaultInjection.$current.withValue(FaultInjection(FaultInjection.Rule(call, errno: ENOSPC))) { open() }
        #expect(files.page?.textIndex == nil)
        #expect(try folder.lockFile().count == 4_096)
        open()
        open()
        #expect(files.page?.textIndex == nil)
        open()
        #expect(files.page?.textIndex?.count == 8)
    }

    @Test func `who may not write so much reads all the same, and makes none`() throws {
        let folder = try folder()
        let rested = SystemCalls.wallNanoseconds + TextIndexNote.rest
        #expect(eventually { SystemCalls.wallNanoseconds > rested + 10_000_000 })
        func openAndRead(limited: Bool) throws {
            let peer = try Peer()
            if limited { try peer.expectOK("hardlimit 8192") }
            try peer.expectOK("open \(folder.folder.path) settings")
            #expect(try peer.ask("get key-number-100500") == "100500")
        }
        for _ in 0..<5 { try openAndRead(limited: true) }
        #expect(try folder.lockFile().count == 4_096)
        for _ in 0..<3 { try openAndRead(limited: false) }
        #expect(try folder.lockFile().count == 9 * 4_096)
    }
}

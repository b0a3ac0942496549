/// Reads of a large file by its index: what they find is what a load would find.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct LookingUpTests {
    private let folder: IndexedFolder

    init() throws { folder = try IndexedFolder.made() }

    private func expect(
        _ value: DefaultsValue?, for key: String = "key-number-100000", isLookedUp: Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let outcome = try folder.read(key)
        #expect(outcome == .init(value: value, isLookedUp: isLookedUp), sourceLocation: sourceLocation)
    }

    @Test func `a key of an indexed file is looked up, and nothing is loaded (F16)`() throws {
        try expect(100_000, isLookedUp: false)
        try folder.makeIndex()
        for key in [100_000, 101_234, 102_999] {
            try expect(.init(key), for: "key-number-\(key)", isLookedUp: true)
        }
        for absent in ["key-number-10000", "key-number-1000000", "", "x"] {
            try expect(nil, for: absent, isLookedUp: true)
        }
        // Written with an escape where it is.
        try expect(nil, for: "a\"b", isLookedUp: false)
    }

    @Test func `values of every kind and length are looked up, but for very long ones`() throws {
        let texts: [(String, Bool)] = [
            ("true", true), ("null", true), (String(repeating: "1", count: 300), true), ("-1.5e3", true),
            (#""a\"b\u00e9""#, true),
            ("[1, {\"x\": []}]", true),
            ("/* why */ 7 /* because */", true), ("\"" + String(repeating: "x", count: 300) + "\"", true),
            ("\"" + String(repeating: "y", count: 20_000) + "\"", false),
        ]
        for (text, isLookedUp) in texts {
            for behind in [",\n  \"last\": 1\n}\n", "\n}\n", "}"] {
                let whole = IndexedFolder.text().dropLast(3) + ",\n  \"k\" : \(text)\(behind)"
                let bytes = Array(whole.utf8)
                try folder.replace(bytes)
                let expected = SettingsDocument.read(bytes).document.value(forKey: KeyName("k"))?.value
                #expect(expected != nil)
                try folder.makeIndex()
                try expect(expected, for: "k", isLookedUp: isLookedUp)
            }
        }
    }

    @Test func `two names of one hash are told apart by their letters`() throws {
        func page(_ name: String) -> [Int]? {
            TextIndex.Wanted(Array(name.utf8)).map { [Int($0.hash & 0xFFFF_FFFF), $0.page(among: 8)] }
        }
        // Found by trying: of so many names, some have one hash.
        let (one, other) = ("twin3623", "twin46722")
        #expect(page(one) == page(other))
        try folder.replace(Array((IndexedFolder.text().dropLast(3) + ",\n  \"\(one)\": 1\n}\n").utf8))
        try folder.makeIndex()
        try expect(1, for: one, isLookedUp: true)
        try expect(nil, for: other, isLookedUp: true)
        let both = IndexedFolder.text().dropLast(3) + ",\n  \"\(one)\": 1,\n  \"\(other)\": 2\n}\n"
        try folder.replace(Array(both.utf8))
        try folder.makeIndex()
        try expect(1, for: one, isLookedUp: true)
        try expect(2, for: other, isLookedUp: true)
    }

    @Test func `after twelve look-ups the file is loaded, and says the same`() throws {
        try folder.makeIndex()
        let suite = try folder.folder.suite()
        let store = try suite.context.store()
        for key in 100_000..<100_012 {
            #expect(suite.value(forKey: "key-number-\(key)") == .init(key))
            #expect(store.latest.isUnread)
        }
        #expect(suite.value(forKey: "key-number-100012") == 100_012)
        #expect(!store.latest.isUnread)
    }

    @Test func `whatever else is asked loads the file`() throws {
        try folder.makeIndex()
        #expect(try folder.folder.suite().storedValues().count == 3_000)
        let suite = try folder.folder.suite()
        #expect(suite.value(forKey: "key-number-100001") == 100_001)
        try suite.withTransaction { tx in
            #expect(tx[key: "key-number-100001"] == 100_001)
            tx[key: "key-number-100001"] = 5
            #expect(suite.value(forKey: "key-number-100001") == 5)
        }
        #expect(suite.value(forKey: "key-number-100001") == 5)
    }

    @Test func `higher and lower domains answer as they do beside a loaded file`() throws {
        try folder.makeIndex()
        let suite = try folder.folder.suite()
        suite.register(defaults: ["key-number-100000": 1, "absent": 2])
        #expect(suite.value(forKey: "key-number-100000") == 100_000)
        #expect(suite.value(forKey: "absent") == 2)
        #expect(try suite.context.store().latest.isUnread)
    }

    @Test func `a commit that is still in the journal counts`() throws {
        try folder.makeIndex()
        let peer = try Peer.opening(in: folder.folder)
        try peer.expectOK("set key-number-100000 7")
        peer.kill()
        try expect(7, isLookedUp: false)
    }

    @Test func `what a checkpoint has written is looked up when it has its own index`() throws {
        try folder.makeIndex()
        let peer = try Peer.opening(in: folder.folder)
        try peer.expectOK("set key-number-100000 7")
        try peer.expectOK("checkpoint")
        try expect(7, isLookedUp: false)
        try folder.makeIndex()
        try expect(7, isLookedUp: true)
        try expect(102_999, for: "key-number-102999", isLookedUp: true)
    }

    @Test func `a file that was saved by hand is loaded, also where its size and time are the old ones`()
        throws
    {
        try folder.makeIndex()
        let path = folder.folder.settingsPath()
        // The kernel's clock of files has steps.
        let made = SystemCalls.wallNanoseconds
        #expect(eventually { SystemCalls.wallNanoseconds > made + 20_000_000 })
        var before = stat()
        #expect(stat(path, &before) == 0)
        let place = "{\n  \"key-number-100000\": ".utf8.count
        try folder.overwrite(Array("555555".utf8), at: place, in: "settings/settings.json")
        let times = [before.st_atim, before.st_mtim]
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        var after = stat()
        #expect(stat(path, &after) == 0)
        #expect(after.st_mtim.tv_nsec == before.st_mtim.tv_nsec && after.st_size == before.st_size)
        try expect(555_555, isLookedUp: false)
        try folder.replace(value: 666_666)
        try expect(666_666, isLookedUp: false)
    }

    @Test func `a file that is not there any more, or is damaged, is no file with an index`() throws {
        try folder.makeIndex()
        try folder.replace(Array(IndexedFolder.text().utf8.dropLast(4)))
        #expect(refusal { _ = try folder.folder.suite().storedValues() }?.code == .malformedFile)
        try FileManager.default.removeItem(atPath: folder.folder.settingsPath())
        try expect(nil, isLookedUp: false)
    }

    @Test func `an index of another start of the system counts for nothing`() throws {
        try folder.makeIndex()
        try expect(100_000, isLookedUp: true)
        do {
            let files = try folder.files()
            let index = try #require(files.page?.textIndex)
            files.note(TextIndexPages(series: index.series ^ 1, count: index.count))
        }
        try expect(100_000, isLookedUp: false)
    }

    @Test(arguments: [0, 9, 100, 4_095])
    func `a page that is damaged counts for nothing, and is made again`(place: Int) throws {
        try folder.makeIndex()
        let page = 4_096 * (1 + (try #require(pageOfKey)))
        let whole = try folder.lockFile()
        try folder.patch([whole[page + place] ^ 1], at: page + place)
        try expect(100_000, isLookedUp: false)
        #expect(try folder.files().page?.textIndex?.count == 0)
        try folder.makeIndex()
        #expect(Array(try folder.lockFile()[4_096...]) == Array(whole[4_096...]))
        try expect(100_000, isLookedUp: true)
    }

    private var pageOfKey: Int? { TextIndex.Wanted(Array("key-number-100000".utf8))?.page(among: 8) }

    @Test(arguments: [96, 104, 112])
    func `a note that is half written counts for nothing`(place: Int) throws {
        try folder.makeIndex()
        let whole = try folder.lockFile()
        try folder.patch([whole[place] ^ 2], at: place)
        try expect(100_000, isLookedUp: false)
    }

    @Test func `a lock file that was cut behind its first page costs a load`() throws {
        try folder.makeIndex()
        #expect(truncate("\(folder.folder.path)/settings/.settings.json.lock", 4_096) == 0)
        try expect(100_000, isLookedUp: false)
    }

    @Test func `of a folder that was moved away nothing is looked up any more`() throws {
        try folder.makeIndex()
        let suite = try folder.folder.suite()
        #expect(suite.value(forKey: "key-number-100000") == 100_000)
        let path = "\(folder.folder.path)/settings"
        try FileManager.default.moveItem(atPath: path, toPath: path + "-before")
        let peer = try Peer.opening(in: folder.folder)
        try peer.expectOK("set key-number-100000 7")
        try peer.expectOK("checkpoint")
        #expect(suite.value(forKey: "key-number-100000") == 7)
        #expect(suite.value(forKey: "key-number-100001") == nil)
    }

    @Test(arguments: ["lstat", "openat", "fstat", "fstatat", "pread"])
    func `a refused call sends the read to a load, which tells of what it meets itself`(call: String) throws {
        try folder.makeIndex()
        for lasts in [false, true] {
            #expect(try eventually { try folder.folder.openDescriptors() == 0 })
            let suite = try folder.folder.suite()
            _ = try suite.context.store()
            let failures = FailureRecorder(suite)
            let faults = FaultInjection(FaultInjection.Rule(call, errno: EIO, lasts: lasts))
            let value = FaultInjection.$current.withValue(faults) { suite.value(forKey: "key-number-100000") }
            #expect(faults.calls.contains(call))
            // A refused look at the lock file's path counts as a look at another file, and the load goes by what is open.
            let isNeeded = lasts && call != "lstat"
            #expect(value == (isNeeded ? nil : 100_000))
            #expect(failures.codes == (isNeeded ? [.io] : []))
        }
    }

    @Test(arguments: ["moved by two bytes", "changed places with the next"])
    func `a member that is not where the index has it sends the read to a load`(how: String) throws {
        // As behind a program that writes through a mapping, which changes bytes and no times.
        try folder.makeIndex()
        let files = try folder.files()
        let index = try #require(files.page?.textIndex)
        var lines = (100_000..<103_000).map { "  \"key-number-\($0)\": \($0)" }
        if how == "moved by two bytes" {
            (lines[0], lines[2_999]) = ("  \"key-number-100000\":   100000", "  \"k-number-102999\": 102999")
        } else {
            lines.swapAt(1_500, 1_501)
        }
        let text = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
        #expect(text.utf8.count == IndexedFolder.text().utf8.count)
        try folder.overwrite(Array(text.utf8), at: 0, in: "settings/settings.json")
        let series = try #require(TextIndexNote.series(of: folder.read(files).status))
        // The pages are those of the text that was, under the series of the one that is.
        let old = SettingsDocument.read(Array(IndexedFolder.text().utf8)).document
        let pages = try #require(TextIndex.pages(of: old, count: Int(index.count), series: series))
        #expect(files.write(pages))
        files.note(TextIndexPages(series: series, count: index.count))
        let outcome = try folder.read("key-number-101500", beside: files)
        #expect(outcome == .init(value: 101_500, isLookedUp: false))
    }

    @Test func `reads beside commits and checkpoints never go back, and miss none that was done before`()
        throws
    {
        let last = 150
        let peer = try Peer.opening(in: folder.folder)
        let other = try Peer.opening(in: folder.folder)
        let (done, lookedUp) = (Recorder<String>(), Recorder<Void>())
        let counting = Thread {
            do {
                for number in 1...last {
                    done.append(try peer.ask("set key-number-100000 \(number)"))
                    guard number % 3 == 0 else { continue }
                    done.append(try other.ask("checkpoint"))
                    // Now and then it rests until somebody has looked the value up, which takes an index.
                    if number % 15 == 0, !lookedUp.wait(for: number / 15) { done.append("not looked up") }
                }
            } catch { done.append("\(error)") }
            done.append("end")
        }
        counting.start()
        var value = 0
        while !done.all.contains("end") {
            try folder.makeIndex()
            for _ in 0..<4 {
                let acknowledged = done.all.count { $0 == "ok" }
                let outcome = try folder.read("key-number-100000")
                let read = try #require(outcome.value?.int)
                let present = read == 100_000 ? 0 : read
                // Of four answers, three are of sets.
                #expect(present >= value && present >= acknowledged * 3 / 4)
                value = present
                if outcome.isLookedUp { lookedUp.append(()) }
            }
        }
        #expect(try folder.read("key-number-100000").value == .init(last))
        #expect(done.all.allSatisfy { $0 == "ok" || $0 == "end" })
    }
}

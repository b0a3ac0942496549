/// What a person or another program does to a suite's files behind the library's back.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

extension TemporaryFolder {
    /// The names in a folder, sorted.
    func names(in name: String = "settings") throws -> [String] {
        try awaitCheckpoint(of: name + "/settings.json")
        return try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(name)").sorted()
    }

    /// The bytes of a file.
    func bytes(of name: String = "settings/settings.json") throws -> [UInt8] {
        try awaitCheckpoint(of: name)
        return Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)")))
    }

    /// Writes bytes into a file, in place.
    func write(_ bytes: [UInt8], to name: String) throws {
        try write("", to: name)
        try Data(bytes).write(to: URL(filePath: "\(path)/\(name)"))
    }

    /// A file's permissions.
    func permissions(of name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
        return try #require(attributes[.posixPermissions] as? NSNumber).intValue
    }

    /// The members of the settings file, as somebody else's reader of JSON finds them.
    func foreignReading(of name: String = "settings/settings.json") throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(try bytes(of: name))) as? NSDictionary)
    }

    /// The text of the settings file as it is now, whether or not it has followed the last write.
    func foreignText(of name: String = "settings/settings.json") throws -> String {
        try String(contentsOf: URL(filePath: "\(path)/\(name)"), encoding: .utf8)
    }

    /// Whether somebody else could take the writer's lock now.
    func isLockFree(of name: String = "settings") throws -> Bool {
        let file = try #require(FileHandle(forUpdatingAtPath: "\(path)/\(name)/.settings.json.lock"))
        defer { file.closeFile() }
        guard flock(file.fileDescriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        // A process that another test starts at this time has the file too, so that to close it is not enough.
        return flock(file.fileDescriptor, LOCK_UN) == 0
    }

    /// How many descriptors of this process lead into the folder.
    func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
            var target = [CChar](repeating: 0, count: 4096)
            let length = readlink("/proc/self/fd/\(number)", &target, target.count)
            let bytes = target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
            return String(decoding: bytes, as: UTF8.self).hasPrefix(path)
        }
    }
}

/// The error of ours that a body throws, nil where it throws none.
func refusal(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) -> DefaultsError? {
    do { try body() } catch let error as DefaultsError { return error } catch {
        Issue.record("an error of another type: \(error)", sourceLocation: sourceLocation)
    }
    return nil
}

extension EventLoop {
    /// Waits until every notice that the kernel has given so far, and what is due, has been seen to.
    func drain() throws {
        // By a notice of its own, which the kernel gives behind all others: an appointment may be kept by one thread
        // while another one has been woken for notices and has not read them yet.
        let scratch = try TemporaryFolder()
        let folder = try SystemCalls.openDirectory(scratch.path)
        let told = Recorder<Void>()
        if let ownWatch = watchIfPossible(folder, telling: told) {
            try Data().write(to: URL(filePath: scratch.path + "/notice"))
            #expect(told.wait(for: 1))
            withExtendedLifetime(ownWatch) {}
        }
        // Two rounds, because one reads only as many notices as its buffer holds, where there is no watch to be had.
        for _ in 0..<2 {
            let round = Recorder<Void>()
            try schedule(afterMilliseconds: 0, on: .path("a test's round")) { round.append(()) }
            #expect(round.wait(for: 1))
        }
        #expect(eventually { WorkerPool.shared.isQuiet })
    }

    /// A watch of a folder; nil where this process has none to be had.
    private func watchIfPossible(_ folder: borrowing Descriptor, telling told: Recorder<Void>) -> Watch? {
        let work = CoalescedWork { told.append(()) }
        do { return try watch(folder, on: .path("a test's folder"), work) } catch { return nil }
    }
}

extension FaultInjection {
    /// The calls up to the unlocking; behind it a thread may look at notices that came meanwhile, or may not.
    var callsUnderLock: [String] { Array(calls[...(calls.lastIndex(of: "flock") ?? calls.endIndex - 1)]) }

    /// The same where a look at the folder that told nothing is left out: it is made 20 ms after the folder's last change, or not.
    var callsWithYoungFolder: [String] {
        var steps = callsUnderLock
        for place in steps.indices.reversed() where steps[place...].starts(with: ["flock", "stat", "lstat"]) {
            steps.remove(at: place + 1)
        }
        return steps
    }

    /// The same, with a look at each name where one at the folder has told, or might have: when it does is a matter of time.
    var stepsUnderLock: [String] {
        var steps = callsUnderLock
        guard steps.starts(with: ["flock", "stat"]) else { return steps }
        if steps.dropFirst(2).first == "lstat" {
            steps.remove(at: 1)
        } else {
            steps[1] = "lstat"
            if steps.dropFirst(2).first == "fstat" { steps[2] = "fstatat" }
        }
        return steps
    }
}

extension DefaultsValue {
    /// A whole number that is mostly another than the last one.
    static var random: DefaultsValue { DefaultsValue(Int.random(in: 1...1_000_000_000)) }
}

extension TemporaryFolder {
    /// A suite of which no checkpoint is made but those that a test asks for.
    func heldSuite(
        _ name: String = "settings", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> DefaultsSuite {
        let suite = try self.suite(name)
        try suite.holdCheckpoints(sourceLocation: sourceLocation)
        return suite
    }
}

extension DefaultsSuite {
    /// Has no checkpoint made from now on but those that a test asks for, however long it takes.
    ///
    /// Before the first write, or a timer is under way already, whose checkpoint or load may come amid what a test
    /// does.
    func holdCheckpoints(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let store = try context.store()
        if !store.checkpointer.hold() {
            Issue.record("a checkpoint is scheduled already", sourceLocation: sourceLocation)
        }
    }

    /// Waits until the settings file is so old that its times tell one version from another.
    func awaitOld(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let store = try context.store()
        #expect(try eventually { try !store.loader.reload().isRecent }, sourceLocation: sourceLocation)
    }
}

/// On a file system that keeps whole seconds alone, a save into the file may leave it the times and the size that it had.
import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.timeLimit(.minutes(60)), .ownThread, .powerLoss(on: .ext4))
struct WholeSecondTests {
    private let disk: DiskImage
    private let suite: DefaultsSuite
    private let file: URL

    /// A disk whose inodes have no room for more, as older ones have not.
    init() throws {
        disk = try DiskImage(.ext4, options: "-I", "128")
        suite = try DefaultsSuite("s", in: disk.path)
        file = URL(filePath: disk.path + "/s/settings.json")
        try suite.set(1, forKey: "n")
    }

    private func time() throws -> timespec {
        var status = stat()
        try #require(stat(file.path, &status) == 0)
        return status.st_mtim
    }

    /// Saves another number of the same length into the file.
    private func save(_ number: Int) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        let other = text.replacing(/"n": [0-9]/, with: "\"n\": \(number)")
        try #require(text != other && text.utf8.count == other.utf8.count)
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: Data(other.utf8))
        try handle.close()
    }

    @Test(arguments: ["read", "write", "checkpoint"])
    func `a save in the second of the last one is seen, and kept by the next checkpoint`(_ next: String)
        throws
    {
        var number = 1
        repeat {
            number += 1
            try #require(number < 10, "no two saves came into one second")
            try suite.set(.number(DefaultsNumber(number)), forKey: "w")
            try suite.checkpoint()
            let before = try time()
            #expect(before.tv_nsec == 0)
            try save(number)
            if try time().tv_sec == before.tv_sec { break }
        } while true
        switch next {
        case "read": #expect(eventually { suite.integer(forKey: "n") == number })
        case "write": try suite.set(0, forKey: "w")
        default: try suite.checkpoint()
        }
        try suite.set(-1, forKey: "w")
        try suite.checkpoint()
        #expect(suite.integer(forKey: "n") == number)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("\"n\": \(number)"))
    }

    /// The folder's time of change is one of whole seconds, too.
    @Test func `a journal that is taken away many times in a second is missed by the next write each time`()
        throws
    {
        let journal = disk.path + "/s/.settings.json.journal"
        for round in 1...300 {
            for number in 0..<3 { try suite.set(.number(DefaultsNumber(10 * round + number)), forKey: "w") }
            try FileManager.default.removeItem(atPath: journal)
            try suite.set(.number(DefaultsNumber(-round)), forKey: "n")
            try #require(FileManager.default.fileExists(atPath: journal), "round \(round)")
        }
        try suite.checkpoint()
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("\"n\": -300"))
        #expect(text.contains("\"w\": 3002"))
    }
}

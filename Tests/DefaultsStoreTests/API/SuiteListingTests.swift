/// Which suites there are in a folder.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing

@Suite(.ownThread) struct SuiteListingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `every suite that was opened is listed by the name it was given`() throws {
        let names = [".hidden", "a b", "com.example.player", "日本", "100%"]
        for name in names { try folder.suite(name).set(1, forKey: "n") }
        #expect(try DefaultsSuite.names(in: folder.path) == names.sorted { KeyName($0) < KeyName($1) })
    }

    @Test func `other programs' folders, files and names that no suite has are not listed`() throws {
        try folder.suite("mine").set(1, forKey: "n")
        for name in [
            "other/settings.json", "%zz/.settings.json.lock", "%61/.settings.json.lock", "loose.json",
        ] {
            try folder.write("{}", to: name)
        }
        #expect(try DefaultsSuite.names(in: folder.path) == ["mine"])
    }

    @Test func `a suite whose settings file is a link is listed, however many links lead to it`() throws {
        try folder.write("{}", to: "dotfiles/player.json")
        for name in ["linked", "twice", "other"] { try folder.write("{}", to: name + "/settings.json") }
        let links = [
            ("linked", "../dotfiles/player.json"), ("twice", folder.path + "/linked/settings.json"),
            ("other", "../dotfiles/none.json"),
        ]
        for (name, target) in links {
            let path = folder.path + "/\(name)/settings.json"
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        }
        #expect(try DefaultsSuite.names(in: folder.path) == [])
        try folder.suite("linked").set(1, forKey: "n")
        #expect(try DefaultsSuite.names(in: folder.path) == ["linked", "twice"])
    }

    @Test func `links in a circle, and one to a path that is no text, are no suite`() throws {
        try folder.suite("mine").set(1, forKey: "n")
        let targets: [(name: String, target: [CChar])] = [
            ("circle", Array("settings.json".utf8CString)), ("odd", [CChar(bitPattern: 0xE9), 0]),
        ]
        for (name, target) in targets {
            try folder.write("", to: name + "/other")
            try #require(symlink(target, folder.path + "/\(name)/settings.json") == 0)
        }
        #expect(try DefaultsSuite.names(in: folder.path) == ["mine"])
    }

    @Test func `a folder that may not be entered is named, and the others are listed`() throws {
        for name in ["a", "b", "c"] { try folder.suite(name).set(1, forKey: "n") }
        let refusal = SystemError(call: "lstat", errno: EACCES)
        var skipped: [DefaultsError] = []
        let plan = FaultInjection(FaultInjection.Rule("lstat", errno: EACCES))
        let names = try FaultInjection.$current.withValue(plan) {
            try DefaultsSuite.names(in: folder.path) { skipped.append($0) }
        }
        #expect(names.count == 2 && skipped.count == 1)
        let hidden = try #require(["a", "b", "c"].first { !names.contains($0) })
        #expect(
            skipped == [DefaultsError(.ioFailure, path: folder.path + "/" + hidden, systemError: refusal)])
    }

    @Test func `a folder that is not there has no suites, and a file in its place is an error`() throws {
        #expect(try DefaultsSuite.names(in: folder.path + "/none") == [])
        try folder.write("{}", to: "file")
        #expect(
            refusal { _ = try DefaultsSuite.names(in: folder.path + "/file") }?.code == .insecureDirectory)
    }

    @Test(arguments: ["", "\0", "/\0"])
    func `a path that names no folder is refused, and lists no other one`(path: String) {
        #expect(refusal { _ = try DefaultsSuite.names(in: path) }?.code == .invalidSuiteName)
        #expect(refusal { _ = try DefaultsSuite("mine", in: path) }?.code == .invalidSuiteName)
    }

    @Test func `a suite that cannot be told is an error and never left out`() throws {
        try folder.suite("mine").set(1, forKey: "n")
        let path = folder.path + "/mine/.settings.json.lock"
        let plan = FaultInjection(FaultInjection.Rule("lstat", errno: EIO))
        let error = FaultInjection.$current.withValue(plan) {
            refusal { _ = try DefaultsSuite.names(in: folder.path) }
        }
        #expect(
            error
                == DefaultsError(.ioFailure, path: path, systemError: SystemError(call: "lstat", errno: EIO)))
    }

    @Test func `a listing that is refused is an error and never empty`() {
        let plan = FaultInjection(FaultInjection.Rule("fdopendir", errno: EIO))
        let error = FaultInjection.$current.withValue(plan) {
            refusal { _ = try DefaultsSuite.names(in: folder.path) }
        }
        #expect(
            error
                == DefaultsError(
                    .ioFailure, path: folder.path, systemError: SystemError(call: "fdopendir", errno: EIO)))
    }

    @Test func `a folder that no suite's name leads to is not looked into, whatever is wrong with it`() throws
    {
        try folder.suite("mine").set(1, forKey: "n")
        try folder.write("{}", to: "%zz/settings.json")
        let plan = FaultInjection(FaultInjection.Rule("lstat", at: 2, errno: EIO, lasts: true))
        let names = try FaultInjection.$current.withValue(plan) { try DefaultsSuite.names(in: folder.path) }
        #expect(names == ["mine"])
    }

    @Test func `suites that a closed folder hides are an error, and no empty listing`() throws {
        try folder.suite("mine").set(1, forKey: "n")
        // As where this user may list the folder around them, and not look into it.
        let plan = FaultInjection(FaultInjection.Rule("lstat", errno: EACCES, lasts: true))
        let error = FaultInjection.$current.withValue(plan) {
            refusal { _ = try DefaultsSuite.names(in: folder.path) }
        }
        #expect(error?.code == .ioFailure)
        #expect(error?.path == folder.path)
    }
}

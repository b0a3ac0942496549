/// A failure that lasts is told once until it is mended, and again if it comes back.
@testable import DefaultsStore
import Foundation
import TestSupport
import Testing
import TypedDefaults

@Suite(.ownThread) struct LastingFailureTests {
    @Test func `a value that is mended by hand and spoilt again is told again`() throws {
        try withSettingsFile(#"{"size": "big"}"#) { suite, failures, folder in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            for round in 1...3 {
                #expect(Defaults[size] == 0)
                #expect(Defaults[size] == 0)
                #expect(failures.codes == Array(repeating: .typeMismatch, count: round))
                try folder.edit(#"{"size": \#(round)}"#)
                #expect(Defaults[size] == round)
                try folder.edit(#"{"other": \#(round), "size": "big"}"#)
            }
        }
    }

    @Test func `a value that stays spoilt while another one changes is told once`() throws {
        try withSettingsFile(#"{"size": "big", "other": 0}"#) { suite, failures, folder in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            for round in 1...3 {
                #expect(Defaults[size] == 0)
                // Of another length each time, so that it is noticed even within one tick of the file system's clock.
                let other = String(repeating: "1", count: round + 1)
                try folder.edit(#"{"size": "big", "other": \#(other)}"#)
            }
            #expect(failures.codes == [.typeMismatch])
        }
    }

    @Test func `a value that no source spoils any more is told again when one does`() throws {
        try withSettingsFile("{}") { suite, failures, _ in
            let size = Defaults.Key<Int>("size", default: 7, suite: suite)
            for round in 1...2 {
                suite.register(defaults: ["size": "big"])
                #expect(Defaults[size] == 7)
                #expect(failures.codes == Array(repeating: .typeMismatch, count: round))
                suite.register(defaults: ["size": 3])
                #expect(Defaults[size] == 3)
            }
        }
    }

    @Test func `a key that is in the file twice again is told again`() throws {
        try withSettingsFile(#"{"size": 1, "size": 2}"#) { suite, failures, folder in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            for round in 1...3 {
                #expect(Defaults[size] == 2)
                #expect(failures.codes == Array(repeating: .duplicateKey, count: round))
                try folder.edit(#"{"size": 2}"#)
                #expect(Defaults[size] == 2)
                try folder.edit(#"{"size": \#(round), "size": 2}"#)
            }
        }
    }

    @Test func `a file that cannot be read once more is told once more`() throws {
        try withSettingsFile(#"{"size": 1}"#) { suite, failures, folder in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            for round in 1...3 {
                try folder.edit(#"{"size": \#(round)}"#)
                FaultInjection.$current.withValue(FaultInjection(.init("pread", errno: EIO, lasts: true))) {
                    _ = (Defaults[size], Defaults[size])
                }
                #expect(failures.codes.count { $0 == .ioFailure } == round)
                #expect(Defaults[size] == round)
                #expect(failures.codes.count { $0 == .recovered } == round)
            }
        }
    }

    @Test func `checkpoints that fail again after one that did not are told again`() throws {
        try withSettingsFile("{}") { suite, failures, folder in
            let size = Defaults.Key<Int>("size", default: 0, suite: suite)
            let store = try suite.context.store()
            // None but those that are made here, and no restart of the journal, which ends a failure too.
            store.checkpointer.hold(restarts: false)
            for round in 1...3 {
                Defaults[size] = round
                FaultInjection.$current.withValue(FaultInjection(.init("fsync", errno: EIO, lasts: true))) {
                    for _ in 1...2 {
                        store.checkpointer.checkpointNow()
                        store.checkpointer.hold()
                    }
                }
                #expect(failures.codes == Array(repeating: .ioFailure, count: round))
                store.checkpointer.checkpointNow()
                store.checkpointer.hold()
                // Read as it is: the journal is never restarted here.
                let text = try String(contentsOf: URL(filePath: folder.settingsPath()), encoding: .utf8)
                #expect(text.contains("\(round)"))
            }
        }
    }
}

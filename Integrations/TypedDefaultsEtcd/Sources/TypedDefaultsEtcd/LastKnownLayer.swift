import Dispatch
import FoundationEssentials
import TypedDefaults

/// The layer as it was last known, in a suite of its own on disk that all programs of this user share.
final class LastKnownLayer: Sendable {
    /// What is kept.
    struct Contents: Sendable {
        var cluster: UInt64
        var revision: Int64
        var endpoint: String
        var values: [String: DefaultsValue]
        var locked: [String: DefaultsValue]
        /// How long ago it was known to be so.
        var age = Duration.zero
    }

    /// Which state of the layer somebody has seen.
    struct Stamp: Hashable, Sendable {
        let state: DefaultsValue?
    }

    /// The suite's key for everything but the values, which stand beside it under their names and a mark.
    private static let head = "layer"
    private static let valueMark = "v/"
    private static let lockedMark = "l/"

    private let suite: DefaultsSuite
    /// Writes one state after the other, away from the tasks that follow.
    private let queue = DispatchQueue(label: "typed-defaults.etcd.last-known")

    init(_ suite: DefaultsSuite) { self.suite = suite }

    /// What is kept; nil where nothing is.
    ///
    /// - Throws: where it cannot be read, or is not what this wrote.
    func read() throws(DefaultsError) -> Contents? {
        let stored = try suite.storedValues()
        guard let head = stored[LastKnownLayer.head] else { return nil }
        guard let cluster = head["cluster"]?.string.flatMap({ UInt64($0) }),
            let revision = head["revision"]?.int,
            let endpoint = head["endpoint"]?.string, let time = head["milliseconds"]?.int
        else { throw damage("its head is not what was written") }
        var contents = Contents(
            cluster: cluster, revision: Int64(revision), endpoint: endpoint, values: [:], locked: [:],
            age: .milliseconds(max(0, LastKnownLayer.now - Int64(time))))
        for (key, value) in stored {
            if key.hasPrefix(LastKnownLayer.valueMark) { contents.values[String(key.dropFirst(2))] = value }
            if key.hasPrefix(LastKnownLayer.lockedMark) { contents.locked[String(key.dropFirst(2))] = value }
        }
        guard head["count"]?.int == contents.values.count + contents.locked.count else {
            throw damage("values are missing")
        }
        return contents
    }

    private func damage(_ reason: String) -> DefaultsError {
        DefaultsError(
            .sourceFailed, path: suite.path,
            underlyingDescription: "the last known layer is not used: \(reason)")
    }

    /// The state that is kept now.
    func stamp() -> Stamp { Stamp(state: suite.value(forKey: LastKnownLayer.head)) }

    /// Keeps a newer state, soon; one of a lower revision of the same cluster is not newer, unless it comes from a
    /// listing that began when the present one was already kept: then the cluster has gone back.
    ///
    /// - Parameters:
    ///   - stamp: the state before the listing; nil for a change that was watched.
    ///   - done: called on another thread, with what failed.
    func keep(
        _ contents: Contents, replacing stamp: Stamp?, done: @escaping @Sendable (DefaultsError?) -> Void
    ) {
        queue.async { [self] in
            guard isNewer(contents, than: suite.value(forKey: LastKnownLayer.head), stamp) else {
                return done(nil)
            }
            do {
                try mendingOnce { try write(contents, replacing: stamp) }
                done(nil)
            } catch {
                done(error as? DefaultsError ?? damage("\(error)"))
            }
        }
    }

    /// Runs a body again after a repair where the file is damaged: what is in it is about to be replaced anyway.
    private func mendingOnce(_ body: () throws -> Void) throws {
        do { try body() } catch let error as DefaultsError where error.code == .malformedFile {
            _ = try suite.repair()
            try body()
        }
    }

    private func write(_ contents: Contents, replacing stamp: Stamp?) throws {
        let wanted = contents.stored
        try suite.withTransaction { tx in
            // Another program may have been first.
            guard isNewer(contents, than: tx[key: LastKnownLayer.head], stamp) else { return }
            let present = try suite.storedValues()
            for key in present.keys where wanted[key] == nil { tx.remove(key: key) }
            for (key, value) in wanted where present[key] != value { tx[key: key] = value }
        }
    }

    /// The milliseconds since 1970.
    fileprivate static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func isNewer(_ contents: Contents, than head: DefaultsValue?, _ stamp: Stamp?) -> Bool {
        guard let head, head["cluster"]?.string == "\(contents.cluster)", let revision = head["revision"]?.int
        else { return true }
        if contents.revision >= Int64(revision) { return true }
        return stamp == Stamp(state: head)
    }
}

extension LastKnownLayer.Contents {
    /// The suite's values for it.
    fileprivate var stored: [String: DefaultsValue] {
        var stored: [String: DefaultsValue] = [
            "layer": .object(
                DefaultsObject([
                    (key: "cluster", value: .string("\(cluster)")),
                    (key: "revision", value: .number(DefaultsNumber(revision))),
                    (key: "endpoint", value: .string(endpoint)),
                    (key: "milliseconds", value: .number(DefaultsNumber(LastKnownLayer.now))),
                    (key: "count", value: .number(DefaultsNumber(values.count + locked.count))),
                ]))
        ]
        for (name, value) in values { stored["v/" + name] = value }
        for (name, value) in locked { stored["l/" + name] = value }
        return stored
    }
}

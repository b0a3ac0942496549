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
        var layer: DefaultsLayer
        /// How many values that are.
        var count: Int
        /// How long ago it was known to be so.
        var age = Duration.zero
    }

    /// Which state of the layer somebody has seen.
    struct Stamp: Hashable, Sendable {
        let state: DefaultsValue?
    }

    /// The suite's key for everything but the values, which stand beside it under their names and a mark.
    private static let head = "layer"
    static let valueMark = "v/"
    static let lockedMark = "l/"

    private let suite: DefaultsSuite
    /// Whose keys they are: what a suite keeps for another prefix is neither used nor replaced.
    private let prefix: EtcdPrefix
    /// Writes one state after the other, away from the tasks that follow.
    private let queue = DispatchQueue(label: "typed-defaults.etcd.last-known")

    init(_ suite: DefaultsSuite, of prefix: EtcdPrefix) { (self.suite, self.prefix) = (suite, prefix) }

    /// What is kept; nil where nothing is.
    ///
    /// - Throws: where it cannot be read, or is not what this wrote, or is of another prefix.
    func read() throws(DefaultsError) -> Contents? {
        let stored = try suite.storedObject()
        guard let head = stored[LastKnownLayer.head] else { return nil }
        try checkPrefix(of: head)
        guard head["prefix"]?.string != nil,
            let cluster = head["cluster"]?.string.flatMap({ UInt64($0) }),
            let revision = head["revision"]?.int,
            let endpoint = head["endpoint"]?.string, let time = head["milliseconds"]?.int,
            case let (age, isTooLong) = LastKnownLayer.now.subtractingReportingOverflow(Int64(time)),
            !isTooLong
        else { throw damage("its head is not what was written") }
        var contents = Contents(
            cluster: cluster, revision: Int64(revision), endpoint: endpoint, layer: DefaultsLayer([:]),
            count: 0, age: .milliseconds(max(0, age)))
        for (key, value) in stored {
            if let name = LastKnownLayer.name(in: key, behind: LastKnownLayer.valueMark) {
                contents.layer.set(value, forKey: name)
                contents.count += 1
            } else if let name = LastKnownLayer.name(in: key, behind: LastKnownLayer.lockedMark) {
                contents.layer.setLocked(value, forKey: name)
                contents.count += 1
            }
        }
        guard head["count"]?.int == contents.count else {
            throw damage("values are missing")
        }
        return contents
    }

    private func damage(_ reason: String) -> DefaultsError {
        DefaultsError.sourceFailed("the last known layer is not used: \(reason)", path: suite.path)
    }

    /// Refuses what a source of another prefix keeps here: the two would take each other's layer away, and one would
    /// start with the other's values.
    private func checkPrefix(of head: DefaultsValue?) throws(DefaultsError) {
        guard let other = head?["prefix"]?.string, !other.utf8.elementsEqual(prefix.description.utf8) else {
            return
        }
        throw DefaultsError.sourceFailed(
            "the suite keeps the last known layer of \(other); that of \(prefix) needs another suite",
            path: suite.path)
    }

    /// The name behind a mark; nil for a key without it.
    ///
    /// By bytes: what a name begins with may be one character with the mark's slash.
    private static func name(in key: String, behind mark: String) -> String? {
        guard key.utf8.starts(with: mark.utf8) else { return nil }
        return String(decoding: key.utf8.dropFirst(mark.utf8.count), as: UTF8.self)
    }

    /// Whether a key of the suite is one of the layer's values.
    private static func isValue(_ key: String) -> Bool {
        name(in: key, behind: valueMark) != nil || name(in: key, behind: lockedMark) != nil
    }

    /// The state that is kept now.
    func stamp() -> Stamp { Stamp(state: suite.value(forKey: LastKnownLayer.head)) }

    /// Keeps a newer state, soon; one of a lower revision of the same cluster is not newer, unless it comes from a
    /// listing that began when the present one was already kept: then the cluster has gone back.
    ///
    /// - Parameters:
    ///   - changes: all that differs from a state that was kept before, with that one's stamp; nil where nobody knows.
    ///     While that is the one kept, nothing else is read or written.
    ///   - stamp: the state before the listing; nil for a change that was watched.
    ///   - done: called on another thread, with the state that is kept now, nil where that is another's, or with what
    ///     failed.
    func keep(
        _ contents: Contents, changes: (all: Changes, since: Stamp)? = nil, replacing stamp: Stamp?,
        done: @escaping @Sendable (Result<Stamp?, DefaultsError>) -> Void
    ) {
        queue.async { [self] in
            do {
                guard try isNewer(contents, than: suite.value(forKey: LastKnownLayer.head), stamp) else {
                    return done(.success(nil))
                }
                done(.success(try mendingOnce { try write(contents, changes, replacing: stamp) }))
            } catch {
                done(.failure(error as? DefaultsError ?? damage("\(error)")))
            }
        }
    }

    /// Runs a body again after a repair where the file is damaged: what is in it is about to be replaced anyway.
    private func mendingOnce(_ body: () throws -> Stamp?) throws -> Stamp? {
        do { return try body() } catch let error as DefaultsError where error.code == .malformedFile {
            removeOldCopies()
            _ = try suite.repairFiles()
            return try body()
        }
    }

    /// Leaves at most two copies of damaged files, to which a repair adds one: a disk that damages the file each time would
    /// fill up with them.
    private func removeOldCopies() {
        let copies = suite.inspectFiles().filter { $0.category == "damagedCopy" }.map(\.path)
        for path in copies.dropFirst(2) {
            // One that cannot be removed is in the way of nothing.
            do { try FileManager.default.removeItem(atPath: path) } catch { continue }
        }
    }

    private func write(
        _ contents: Contents, _ changes: (all: Changes, since: Stamp)?, replacing stamp: Stamp?
    ) throws -> Stamp? {
        let head = contents.head(of: prefix)
        return try suite.withTransaction { tx in
            let present = tx[key: LastKnownLayer.head]
            // Another program may have been first.
            guard try isNewer(contents, than: present, stamp) else { return nil }
            if let changes, changes.since == Stamp(state: present) {
                for (key, value) in changes.all.stored { tx[key: key] = value }
            } else {
                // As objects, which tell names apart by their bytes, as the suite does.
                let (stored, wanted) = (try suite.storedObject(), contents.stored)
                // What else is in the suite is somebody else's.
                for (key, _) in stored where LastKnownLayer.isValue(key) && wanted[key] == nil {
                    tx.removeValue(forKey: key)
                }
                for (key, value) in wanted where stored[key] != value { tx[key: key] = value }
            }
            tx[key: LastKnownLayer.head] = head
            return Stamp(state: head)
        }
    }

    /// The milliseconds since 1970.
    fileprivate static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private func isNewer(
        _ contents: Contents, than head: DefaultsValue?, _ stamp: Stamp?
    ) throws(DefaultsError) -> Bool {
        try checkPrefix(of: head)
        guard let head, head["cluster"]?.string == "\(contents.cluster)", let revision = head["revision"]?.int
        else { return true }
        if contents.revision >= Int64(revision) { return true }
        return stamp == Stamp(state: head)
    }
}

extension LastKnownLayer.Contents {
    /// What is kept beside the values.
    fileprivate func head(of prefix: EtcdPrefix) -> DefaultsValue {
        .object(
            DefaultsObject([
                (key: "prefix", value: .string(prefix.description)),
                (key: "cluster", value: .string("\(cluster)")),
                (key: "revision", value: .number(DefaultsNumber(revision))),
                (key: "endpoint", value: .string(endpoint)),
                (key: "milliseconds", value: .number(DefaultsNumber(LastKnownLayer.now))),
                (key: "count", value: .number(DefaultsNumber(count))),
            ]))
    }

    /// The suite's values for the layer.
    fileprivate var stored: DefaultsObject {
        DefaultsObject(
            layer.values.map { (key: LastKnownLayer.valueMark + $0.key, value: $0.value) }
                + layer.locked.map { (key: LastKnownLayer.lockedMark + $0.key, value: $0.value) })
    }
}

import LMDB
import Measuring

// Unchecked is sound because LMDB's environments may be used from any thread.
/// Settings in LMDB.
public struct LightningDatabase: @unchecked Sendable {
    private let environment: Environment

    /// Makes an environment of so many keys.
    public init(keys: Int, isSynchronized: Bool = false) throws {
        let folder = try Home.folder("lmdb-\(keys)-\(isSynchronized)")
        environment = try Environment(folder, size: 256 << 20, isSynchronized: isSynchronized)
        try environment.fill(Sized.entries(keys))
    }

    /// Reads one value in a transaction of its own.
    public func double(forKey key: String) throws -> Double { try environment.double(forKey: key) }

    /// Stores some values in one transaction.
    public func set(_ entries: [(key: String, value: Double)]) throws { try environment.fill(entries) }
}

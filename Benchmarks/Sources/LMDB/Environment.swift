import CLMDB

/// An LMDB environment of one database whose values are the eight bytes of a `Double`.
public struct Environment {
    /// A number that LMDB gave back.
    public struct Failure: Error {
        let number: Int32
    }

    private let environment: OpaquePointer

    /// Opens the environment of a folder, which has to exist.
    ///
    /// - Parameters:
    ///   - size: the most it may grow to; needed for writing.
    ///   - isSynchronized: whether a write waits for the disk.
    public init(
        _ folder: String, isReadOnly: Bool = false, size: Int? = nil, isSynchronized: Bool = true
    ) throws {
        var opened: OpaquePointer?
        try check(mdb_env_create(&opened))
        guard let opened else { throw Failure(number: MDB_PANIC) }
        if let size { try check(mdb_env_set_mapsize(opened, size)) }
        let flags = (isReadOnly ? MDB_RDONLY : 0) | (isSynchronized ? 0 : MDB_NOSYNC)
        try check(mdb_env_open(opened, folder, UInt32(flags), 0o600))
        environment = opened
    }

    /// Stores some values in one transaction.
    public func fill(_ entries: [(key: String, value: Double)]) throws {
        try transaction { transaction, database in
            for (key, value) in entries {
                try with(key) { name in
                    var value = value
                    try withUnsafeMutableBytes(of: &value) { bytes in
                        var data = MDB_val(mv_size: bytes.count, mv_data: bytes.baseAddress)
                        try check(mdb_put(transaction, database, &name, &data, 0))
                    }
                }
            }
        }
    }

    /// Reads one value in a transaction of its own.
    public func double(forKey key: String) throws -> Double {
        var result = 0.0
        try transaction(flags: UInt32(MDB_RDONLY)) { transaction, database in
            try with(key) { name in
                var data = MDB_val()
                try check(mdb_get(transaction, database, &name, &data))
                result = data.mv_data.loadUnaligned(as: Double.self)
            }
        }
        return result
    }

    private func transaction(flags: UInt32 = 0, _ body: (OpaquePointer, MDB_dbi) throws -> Void) throws {
        var begun: OpaquePointer?
        try check(mdb_txn_begin(environment, nil, flags, &begun))
        guard let begun else { throw Failure(number: MDB_PANIC) }
        var database: MDB_dbi = 0
        try check(mdb_dbi_open(begun, nil, 0, &database))
        try body(begun, database)
        try check(mdb_txn_commit(begun))
    }

    private func with(_ key: String, _ body: (inout MDB_val) throws -> Void) throws {
        var key = key
        try key.withUTF8 { bytes in
            let address = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
            var name = MDB_val(mv_size: bytes.count, mv_data: address)
            try body(&name)
        }
    }
}

private func check(_ number: Int32) throws {
    guard number == 0 else { throw Environment.Failure(number: number) }
}

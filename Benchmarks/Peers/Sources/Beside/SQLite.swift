import GRDBSQLite
import Measuring

// Unchecked is sound because each benchmark uses its own on one thread at a time.
/// Settings as rows of an SQLite database, through its C functions with statements prepared once; in WAL mode.
public final class SQLite: @unchecked Sendable {
    /// A refusal, in SQLite's words.
    public struct Failure: Error {
        let message: String
    }

    private let database: OpaquePointer
    private let select: OpaquePointer
    private let update: OpaquePointer

    /// Makes a database of so many keys.
    public init(keys: Int, isSynchronized: Bool = false) throws {
        let path = try Home.folder("sqlite") + "/settings-\(keys)-\(isSynchronized).sqlite"
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else { throw Failure(message: path) }
        database = opened
        let waiting = isSynchronized ? "FULL" : "OFF"
        try execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = \(waiting)", opened)
        try execute("CREATE TABLE settings (key TEXT PRIMARY KEY, value REAL) WITHOUT ROWID; BEGIN", opened)
        for (key, value) in Sized.entries(keys) {
            try execute("INSERT INTO settings VALUES ('\(key)', \(value))", opened)
        }
        try execute("COMMIT", opened)
        select = try prepare("SELECT value FROM settings WHERE key = ?", opened)
        update = try prepare("UPDATE settings SET value = ? WHERE key = ?", opened)
    }

    deinit {
        sqlite3_finalize(select)
        sqlite3_finalize(update)
        sqlite3_close(database)
    }

    /// Reads one value.
    public func double(forKey key: String) throws -> Double {
        defer { sqlite3_reset(select) }
        sqlite3_bind_text(select, 1, key, -1, SQLite.isCopied)
        guard sqlite3_step(select) == SQLITE_ROW else { throw Failure(message: key) }
        return sqlite3_column_double(select, 0)
    }

    /// Stores one value.
    public func set(_ value: Double, forKey key: String) throws {
        defer { sqlite3_reset(update) }
        sqlite3_bind_double(update, 1, value)
        sqlite3_bind_text(update, 2, key, -1, SQLite.isCopied)
        guard sqlite3_step(update) == SQLITE_DONE else { throw Failure(message: key) }
    }

    // Sound because SQLite documents -1 as the destructor that stands for "copy the bytes"; C writes it as a cast too.
    private static let isCopied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

private func execute(_ statement: String, _ database: OpaquePointer) throws {
    guard sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK else {
        throw SQLite.Failure(message: statement)
    }
}

private func prepare(_ statement: String, _ database: OpaquePointer) throws -> OpaquePointer {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(database, statement, -1, &prepared, nil) == SQLITE_OK, let prepared else {
        throw SQLite.Failure(message: statement)
    }
    return prepared
}

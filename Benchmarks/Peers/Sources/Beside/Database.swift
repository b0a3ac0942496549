import GRDB
import Measuring

/// Settings as rows of an SQLite database, through GRDB; in WAL mode.
public struct Database: Sendable {
    private let pool: DatabasePool

    /// Makes a database of so many keys.
    ///
    /// - Parameter isSynchronized: whether a commit waits for the disk.
    public init(keys: Int, isSynchronized: Bool = false) throws {
        let path = try Home.folder("grdb") + "/settings-\(keys)-\(isSynchronized).sqlite"
        pool = try DatabasePool(path: path)
        // Opening the pool ends with NORMAL, whatever the configuration says, and NORMAL waits for no commit.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(isSynchronized ? "FULL" : "OFF")")
        }
        try pool.write { database in
            try database.execute(sql: "CREATE TABLE settings (key TEXT PRIMARY KEY, value) WITHOUT ROWID")
            for (key, value) in Sized.entries(keys) {
                try database.execute(sql: "INSERT INTO settings VALUES (?, ?)", arguments: [key, value])
            }
        }
    }

    /// Reads one value.
    public func double(forKey key: String) throws -> Double? {
        try pool.read { database in
            let statement = try database.cachedStatement(sql: "SELECT value FROM settings WHERE key = ?")
            return try Double.fetchOne(statement, arguments: [key])
        }
    }

    /// Stores some values in one transaction.
    public func set(_ entries: [(key: String, value: Double)]) throws {
        try pool.write { database in
            let statement = try database.cachedStatement(sql: "UPDATE settings SET value = ? WHERE key = ?")
            for (key, value) in entries { try statement.execute(arguments: [value, key]) }
        }
    }
}

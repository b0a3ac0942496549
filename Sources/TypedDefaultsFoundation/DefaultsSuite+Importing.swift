import DefaultsStore
public import Foundation
public import TypedDefaults

/// What became of the values of an import.
public struct DefaultsImport: Hashable, Sendable {
    /// The keys that are stored in the suite now.
    public internal(set) var imported: [String] = []
    /// The keys left alone, because the suite has a stored value of its own.
    public internal(set) var alreadyStored: [String] = []
    /// The keys that `UserDefaults` has no value for.
    public internal(set) var missing: [String] = []
    /// The keys whose values could not be taken, with the reason, which holds no value.
    public internal(set) var refused: [String: String] = [:]
}

/// Moving from `UserDefaults`.
extension DefaultsSuite {
    /// Copies values from `UserDefaults`, all in one transaction.
    ///
    /// ```swift
    /// let result = try DefaultsSuite.standard.importValues(from: .standard, keys: ["volume", "lastOpened"])
    /// print(result.refused)
    /// ```
    ///
    /// Dates become ISO 8601 in UTC and data base64. A text that is JSON, as sindresorhus/Defaults stores `Codable`
    /// values, and data that is, as `JSONEncoder` makes it for PropertyKit and for code written by hand, is taken as
    /// the value it spells where a declared key can only use that, and a JSON string in a text also where the key
    /// could use the quoted text itself, unless it is a key of `String`; a declared key's value that it cannot use is
    /// refused. So declare the keys first: a key that was never used, and is not in `Defaults.declare`, has no type
    /// yet. Data for a key of `Data` is taken as it is, unless it is the JSON of data. A key of `URL` takes the path and
    /// the archive that `UserDefaults.set(_: URL?, forKey:)` stores.
    ///
    /// An argument of the command line is no stored value: where one hides what is stored, the key is refused, but for
    /// `UserDefaults.standard` outside Apple's systems, where what is stored is found all the same. A registered
    /// default cannot be told from a stored value, so import before `register(defaults:)`.
    ///
    /// - Parameter overwriting: whether a value the suite has stored gives way.
    /// - Throws: what kept the transaction from being committed; nothing was imported then.
    public func importValues(
        from defaults: UserDefaults, keys: [String], overwriting: Bool = false
    ) throws(DefaultsError) -> DefaultsImport {
        var result = DefaultsImport()
        var values: [(key: String, value: DefaultsValue)] = []
        let stored = StoredObjects(of: defaults)
        for key in Set(keys).sorted() {
            do throws(PropertyListFault) {
                guard let object = try stored.object(forKey: key) else {
                    result.missing.append(key)
                    continue
                }
                values.append((key, try value(of: object, forKey: key)))
            } catch {
                result.refused[key] = error.reason
            }
        }
        do { try store(values, overwriting: overwriting, &result) } catch let error as DefaultsError {
            throw error
        } catch {
            throw DefaultsError(.io, suite: name, underlyingDescription: describe(error))
        }
        return result
    }

    /// Stores the values in one transaction, and notes in the result which.
    private func store(
        _ values: [(key: String, value: DefaultsValue)], overwriting: Bool, _ result: inout DefaultsImport
    ) throws {
        let before = result
        result = try withTransaction { transaction in
            var outcome = before
            for (key, value) in values {
                if !overwriting, try core.view().stored(KeyName(key)) != nil {
                    outcome.alreadyStored.append(key)
                } else {
                    transaction[key: key] = value
                    outcome.imported.append(key)
                }
            }
            return outcome
        }
    }

    /// The value of a stored object that the suite can store.
    private func value(of object: Any, forKey key: String) throws(PropertyListFault) -> DefaultsValue {
        let value = try ImportedValue(object, for: core.catalogue.declaration(KeyName(key))).value()
        do { _ = try StoredValue.checked(value, forKey: key, in: name) } catch {
            throw PropertyListFault(ImportedValue.reason(of: error))
        }
        return value
    }
}

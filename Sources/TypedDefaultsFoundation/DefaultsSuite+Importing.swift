import DefaultsStore
public import Foundation
public import TypedDefaults
import TypedDefaultsPropertyLists

/// The result of an import.
public struct DefaultsImport: Hashable, Sendable {
    /// The keys that are stored in the suite now, by their names there.
    public internal(set) var imported: [String] = []
    /// The keys that already had a stored value in the suite, which stayed.
    public internal(set) var alreadyStored: [String] = []
    /// The names for which `UserDefaults` has no value.
    public internal(set) var missing: [String] = []
    /// The names in `UserDefaults` whose values were refused, with a reason that contains no value.
    public internal(set) var refused: [String: String] = [:]
    /// Whether the import of that name was made before: nothing was imported now.
    public internal(set) var wasAlreadyImported = false
}

/// Moving from `UserDefaults`.
extension DefaultsSuite {
    /// Copies values from `UserDefaults`, all in one transaction.
    ///
    /// ```swift
    /// let result = try DefaultsSuite.standard.importValues(
    ///     from: .standard, keys: ["volume", "lastOpened"],
    ///     once: "from UserDefaults")
    /// print(result.refused)
    /// ```
    ///
    /// Call it at each start. With `once` one process makes the import, one time: a value that the user
    /// resets later stays reset. The name is kept in the settings file, also by `removeAll()`. An import that
    /// throws is made at the next start; a refused value is not tried again.
    ///
    /// Dates become ISO 8601 in UTC and data base64. JSON in a text or in data becomes the value that it
    /// spells, if a declared key can only use that. In a text it comes from sindresorhus/Defaults, which
    /// stores `Codable` values so; in data from `JSONEncoder` in PropertyKit and in code written by hand. A
    /// JSON string in a text becomes the string even if the key could use the quoted text, except for a key
    /// of `String`. Data for a key of `Data` stays as it is, unless it is the JSON of data. A key of `URL`
    /// accepts the path and the archive that `UserDefaults.set(_: URL?, forKey:)` stores.
    ///
    /// A value that its declared key cannot use is refused. So declare the keys first: a key that was never
    /// used, and is not in `Defaults.declare`, has no type yet.
    ///
    /// An argument of the command line is not a stored value. A key whose stored value an argument hides is
    /// refused. Except for `UserDefaults.standard` outside Apple's systems, where the stored value is found.
    /// A registered default cannot be distinguished from a stored value, so import before
    /// `register(defaults:)`.
    ///
    /// - Parameters:
    ///   - defaults: the `UserDefaults` to copy from.
    ///   - keys: the keys that have one name on both sides.
    ///   - renamed: other names in `UserDefaults`, each with the key for its value.
    ///   - overwriting: whether a value that the suite has stored is replaced.
    ///   - once: the name of an import that is made once; never change it or use it again. Nil makes it each
    ///     time.
    /// - Throws: the failure to commit the transaction; nothing was imported then. With `once` also
    ///   `.malformedFile`, if the settings file is broken.
    public func importValues(
        from defaults: UserDefaults, keys: [String], renaming renamed: [String: Defaults.AnyKey] = [:],
        overwriting: Bool = false, once: String? = nil
    ) throws(DefaultsError) -> DefaultsImport {
        let same = Set(keys).subtracting(renamed.keys).map { (key) in
            Target(old: key, new: key, declaration: context.catalogue.declaration(KeyName(key)))
        }
        let others = renamed.map {
            Target(old: $0.key, new: $0.value.name, declaration: declaration(of: $0.value))
        }
        return try importValues(from: defaults, to: same + others, overwriting: overwriting, once: once)
    }

    /// Copies values that have other names in `UserDefaults` to their keys, decoded by the keys' types.
    ///
    /// ```swift
    /// struct Size: Codable, Sendable { var width = 800, height = 600 }
    /// let size = Defaults.Key<Size>("window.size", default: Size())
    /// let result = try DefaultsSuite.standard.importValues(
    ///     from: .standard, renaming: ["WindowSize": size],
    ///     once: "from UserDefaults")
    /// ```
    ///
    /// Keys are looked up in this suite. If two names lead to one key, the first in the order of the names is
    /// used. Everything else is as for keys that keep their names.
    ///
    /// - Parameters:
    ///   - defaults: the `UserDefaults` to copy from.
    ///   - renamed: the names in `UserDefaults`, each with the key for its value.
    ///   - overwriting: whether a value that the suite has stored is replaced.
    ///   - once: the name of an import that is made once; never change it or use it again. Nil makes it each
    ///     time.
    /// - Throws: as for keys that keep their names.
    public func importValues(
        from defaults: UserDefaults, renaming renamed: [String: Defaults.AnyKey], overwriting: Bool = false,
        once: String? = nil
    ) throws(DefaultsError) -> DefaultsImport {
        try importValues(from: defaults, keys: [], renaming: renamed, overwriting: overwriting, once: once)
    }

    /// The source and the destination of a value.
    private struct Target {
        let old, new: String
        /// The new key's declaration; nil if it is not declared.
        let declaration: KeyDeclaration?
    }

    /// The list of steps with the names of completed imports.
    private static let madeImports = "$import"

    /// A key's own declaration; its errors have no values also if only another key of the name is secret.
    private func declaration(of key: Defaults.AnyKey) -> KeyDeclaration? {
        guard let own = key.declaration else { return nil }
        let isSecret = own.isSecret || context.catalogue.declaration(key.keyName)?.isSecret == true
        return KeyDeclaration(own, isSecret: isSecret, merge: own.merge)
    }

    private func importValues(
        from defaults: UserDefaults, to targets: [Target], overwriting: Bool, once: String?
    ) throws(DefaultsError) -> DefaultsImport {
        var result = DefaultsImport()
        if let once, try hasRun(once, of: Self.madeImports) {
            result.wasAlreadyImported = true
            return result
        }
        var values: [(key: String, value: DefaultsValue)] = []
        let stored = StoredObjects(of: defaults)
        var taken: Set<KeyName> = []
        for target in targets.sorted(by: { $0.old < $1.old }) {
            do throws(PropertyListFault) {
                guard let object = try stored.object(forKey: target.old) else {
                    result.missing.append(target.old)
                    continue
                }
                let value = try value(of: object, for: target)
                if taken.insert(KeyName(target.new)).inserted { values.append((target.new, value)) }
            } catch {
                result.refused[target.old] = error.reason
            }
        }
        do { return try store(values, overwriting: overwriting, once: once, result) } catch let error
            as DefaultsError
        {
            throw error
        } catch {
            throw DefaultsError(.ioFailure, suite: name, underlyingDescription: describe(error))
        }
    }

    /// Stores the values in one transaction, and records the result.
    private func store(
        _ values: [(key: String, value: DefaultsValue)], overwriting: Bool, once: String?,
        _ before: DefaultsImport
    ) throws -> DefaultsImport {
        try withTransaction { transaction in
            var outcome = before
            if let once {
                // Another process may have been first.
                if try hasRun(once, of: Self.madeImports) {
                    outcome = DefaultsImport()
                    outcome.wasAlreadyImported = true
                    return outcome
                }
                try recordRun(once, of: Self.madeImports, in: transaction)
            }
            for (key, value) in values {
                if !overwriting, try context.view().stored(KeyName(key)) != nil {
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
    private func value(of object: Any, for target: Target) throws(PropertyListFault) -> DefaultsValue {
        let value = try ImportedValue(object, for: target.declaration).value()
        do { _ = try StoredValue.checked(value, forKey: target.new, in: name) } catch {
            throw PropertyListFault(ImportedValue.reason(of: error))
        }
        return value
    }
}

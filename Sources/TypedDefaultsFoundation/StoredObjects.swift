import Foundation
import TypedDefaults
import TypedDefaultsPropertyLists

/// What a `UserDefaults` has stored, as far as it tells that from what it finds elsewhere.
///
/// `object(forKey:)` searches the arguments of the command line first and registered defaults last. An argument is
/// never taken for a stored value. A registered default cannot be told from one.
struct StoredObjects {
    private let defaults: UserDefaults
    private let arguments: [String: Any]

    init(of defaults: UserDefaults) {
        self.defaults = defaults
        arguments = defaults.volatileDomain(forName: UserDefaults.argumentDomain)
    }

    /// The stored object of a key; nil if there is none.
    ///
    /// - Throws: where an argument hides what may be stored.
    func object(forKey key: String) throws(PropertyListFault) -> Any? {
        // First of all: Foundation on Linux finds nothing stored any more if a domain was asked for by its name before.
        let found = defaults.object(forKey: key)
        guard arguments[key] != nil else { return found }
        guard let hidden = hidden(key) else {
            throw PropertyListFault("an argument of the command line hides what is stored")
        }
        return hidden
    }

    /// What is stored behind an argument, where the name of its domain is known.
    private func hidden(_ key: String) -> Any? {
        #if canImport(ObjectiveC)
            return nil
        #else
            guard defaults === UserDefaults.standard else { return nil }
            // The name of the file, and that of what this process has stored.
            let names = [ProcessInfo.processInfo.processName, "kCFPreferencesCurrentApplication"]
            return names.lazy.compactMap { defaults.persistentDomain(forName: $0)?[key] }.first
        #endif
    }
}

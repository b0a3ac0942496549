import Foundation
import TypedDefaults
import TypedDefaultsPropertyLists

/// The stored objects of a `UserDefaults`, as far as it distinguishes them.
///
/// `object(forKey:)` searches the arguments of the command line first and registered defaults last. An
/// argument is never treated as a stored value. A registered default cannot be distinguished from one.
struct StoredObjects {
    private let defaults: UserDefaults
    private let arguments: [String: Any]

    init(of defaults: UserDefaults) {
        self.defaults = defaults
        arguments = defaults.volatileDomain(forName: UserDefaults.argumentDomain)
    }

    /// The stored object of a key; nil if there is none.
    ///
    /// - Throws: if an argument hides a possible stored object.
    func object(forKey key: String) throws(PropertyListFault) -> Any? {
        // First, because Foundation on Linux finds no stored object after a domain was requested by its name.
        let found = defaults.object(forKey: key)
        guard arguments[key] != nil else { return found }
        guard let hidden = hidden(key) else {
            throw PropertyListFault("an argument of the command line hides what is stored")
        }
        return hidden
    }

    /// The stored object behind an argument, if the name of its domain is known.
    private func hidden(_ key: String) -> Any? {
        #if canImport(ObjectiveC)
            return nil
        #else
            guard defaults === UserDefaults.standard else { return nil }
            // The name of the file, and the name for objects that this process has stored.
            let names = [ProcessInfo.processInfo.processName, "kCFPreferencesCurrentApplication"]
            return names.lazy.compactMap { defaults.persistentDomain(forName: $0)?[key] }.first
        #endif
    }
}

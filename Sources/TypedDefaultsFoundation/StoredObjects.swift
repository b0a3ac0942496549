import Foundation
import TypedDefaults

/// What a `UserDefaults` has stored, as far as it tells that from what it finds elsewhere.
///
/// `object(forKey:)` searches the arguments of the command line first and registered defaults last. An argument is
/// never taken for a stored value. A registered default cannot be told from one.
struct StoredObjects {
    private let defaults: UserDefaults
    private let arguments: [String: Any]
    /// What is known to be stored, because its place has a known name; there may be more.
    private let stored: [String: Any]

    init(of defaults: UserDefaults) {
        self.defaults = defaults
        arguments = defaults.volatileDomain(forName: UserDefaults.argumentDomain)
        var stored: [String: Any] = [:]
        #if !canImport(ObjectiveC)
            if defaults === UserDefaults.standard {
                // The first name is that of the file, the second one the name of what this process has stored.
                for name in [ProcessInfo.processInfo.processName, "kCFPreferencesCurrentApplication"] {
                    stored.merge(defaults.persistentDomain(forName: name) ?? [:]) { $1 }
                }
            }
        #endif
        self.stored = stored
    }

    /// The stored object of a key; nil if there is none.
    ///
    /// - Throws: where an argument hides what may be stored.
    func object(forKey key: String) throws(PropertyListFault) -> Any? {
        guard arguments[key] != nil else { return defaults.object(forKey: key) }
        guard let hidden = stored[key] else {
            throw PropertyListFault("an argument of the command line hides what is stored")
        }
        return hidden
    }
}

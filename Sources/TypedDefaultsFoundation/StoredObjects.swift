import Foundation
import TypedDefaults

/// What a `UserDefaults` has stored, as far as it tells that from what it finds elsewhere.
///
/// `object(forKey:)` searches the arguments of the command line first and registered defaults last. An argument is
/// never taken for a stored value. A registered default cannot be told from one everywhere.
struct StoredObjects {
    private let defaults: UserDefaults
    private let arguments: [String: Any]
    /// What is stored and nothing else, where its name is known.
    private let stored: [String: Any]?

    init(of defaults: UserDefaults) {
        self.defaults = defaults
        arguments = defaults.volatileDomain(forName: UserDefaults.argumentDomain)
        #if canImport(ObjectiveC)
            stored = nil
        #else
            // It is called by the program's name on disk, but by this one as long as the program runs.
            stored =
                defaults === UserDefaults.standard
                ? defaults.persistentDomain(forName: "kCFPreferencesCurrentApplication") : nil
        #endif
    }

    /// The stored object of a key; nil if there is none.
    ///
    /// - Throws: where an argument hides what may be stored.
    func object(forKey key: String) throws(PropertyListFault) -> Any? {
        if let stored { return stored[key] }
        guard arguments[key] == nil else {
            throw PropertyListFault("an argument of the command line hides what is stored")
        }
        return defaults.object(forKey: key)
    }
}

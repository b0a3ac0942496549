import Foundation

/// `UserDefaults` with values of a test's own, which touch neither a file nor what other tests registered.
final class FixedDefaults: UserDefaults {
    var values: [String: Any] = [:]
    /// What stands on the command line; it applies before the values.
    var arguments: [String: Any] = [:]

    override func object(forKey defaultName: String) -> Any? { arguments[defaultName] ?? values[defaultName] }

    override func volatileDomain(forName domainName: String) -> [String: Any] {
        domainName == UserDefaults.argumentDomain ? arguments : [:]
    }
}

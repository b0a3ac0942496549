import Foundation

/// `UserDefaults` with values of a test's own, which touch neither a file nor what other tests registered.
final class FixedDefaults: UserDefaults {
    var values: [String: Any] = [:]

    override func object(forKey defaultName: String) -> Any? { values[defaultName] }
}

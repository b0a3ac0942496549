public import Foundation
import Measuring

// Unchecked is sound because `UserDefaults` may be used from any thread.
/// Foundation's `UserDefaults` with so many keys, and a typed wrapper over it that decodes JSON at each read.
public struct FoundationSettings: @unchecked Sendable {
    /// The defaults themselves.
    public let defaults: UserDefaults
    private let decoder = JSONDecoder()

    /// Fills defaults of their own in memory.
    public init(keys: Int) {
        _ = Home.path
        defaults = UserDefaults(suiteName: "sized-\(keys)") ?? .standard
        for (key, value) in Sized.entries(keys) { defaults.set(value, forKey: key) }
    }

    /// A value kept as JSON.
    public func decoded<Value: Decodable>(_ type: Value.Type, forKey key: String) throws -> Value? {
        try defaults.data(forKey: key).map { try decoder.decode(type, from: $0) }
    }
}

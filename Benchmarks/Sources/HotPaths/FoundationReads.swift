import Foundation

/// The same reads through Foundation's `UserDefaults`.
enum FoundationReads {
    @inline(never) static func double() -> Double { UserDefaults.standard.double(forKey: "volume") }
    @inline(never) static func string() -> String { UserDefaults.standard.string(forKey: "theme") ?? "" }
    @inline(never) static func shortString() -> String {
        UserDefaults.standard.string(forKey: "language") ?? ""
    }

    /// A typed wrapper as others have it: JSON in `UserDefaults`, decoded at each read, here with one decoder for all.
    @inline(never) static func profile() -> Profile {
        guard let data = UserDefaults.standard.data(forKey: "profile") else { return Profile() }
        do { return try decoder.decode(Profile.self, from: data) } catch { return Profile() }
    }

    @inline(never) static func setDouble(_ value: Double) {
        UserDefaults.standard.set(value, forKey: "volume")
    }

    private static let decoder = JSONDecoder()
}

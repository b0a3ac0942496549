import Foundation
import TypedDefaults

/// What is stored before anything is measured: ten keys, the same in both.
enum SampleValues {
    static let theme = "a text of more than fifteen bytes"

    /// Stores them in our standard suite and in `UserDefaults`, once.
    static let stored: Void = {
        do {
            try store()
        } catch {
            preconditionFailure("the sample values could not be stored: \(error)")
        }
    }()

    private static func store() throws {
        let suite = DefaultsSuite.standard
        let others = (0..<4).map { "other\($0)" }
        try suite.withTransaction { transaction in
            transaction[.volume] = 0.25
            transaction[.isOn] = true
            transaction[.launches] = 42
            transaction[.theme] = theme
            transaction[.language] = "en_GB"
            transaction[.profile] = Profile()
            for key in others { transaction[key: key] = 1 }
        }
        try suite.checkpoint()
        // The first reads of a process look at the files; what is measured is what it does from then on.
        for _ in 0..<64 { _ = suite.double(forKey: "volume") }
        let foundation = UserDefaults.standard
        foundation.set(0.25, forKey: "volume")
        foundation.set(true, forKey: "isOn")
        foundation.set(42, forKey: "launches")
        foundation.set(theme, forKey: "theme")
        foundation.set("en_GB", forKey: "language")
        foundation.set(try JSONEncoder().encode(Profile()), forKey: "profile")
        for key in others { foundation.set(1, forKey: key) }
        foundation.synchronize()
    }
}

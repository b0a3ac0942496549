public import DefaultsStore
public import Foundation

extension DefaultsVersion {
    /// When the version was stored; of a save by hand, the time of the file.
    ///
    /// ```swift
    /// let suite = DefaultsSuite.inMemory()
    /// let today = try suite.history().filter { $0.date > .now.addingTimeInterval(-86_400) }
    /// ```
    public var date: Date { Date(timeIntervalSince1970: secondsSince1970) }
}

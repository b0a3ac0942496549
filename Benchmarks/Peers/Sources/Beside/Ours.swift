import Foundation
import Measuring
public import TypedDefaults

/// A suite of so many keys of ours.
public struct Ours: Sendable {
    /// The suite.
    public let suite: DefaultsSuite
    /// The key that is read and set.
    public let key: Defaults.Key<Double>

    /// Writes the file and opens it.
    public init(keys: Int) throws {
        let parent = try Home.folder("ours-\(keys)")
        let file = try Home.folder("ours-\(keys)/sized") + "/settings.json"
        try Data(Sized.json(keys).utf8).write(to: URL(filePath: file))
        suite = try DefaultsSuite("sized", in: parent)
        key = Defaults.Key(Sized.wanted, default: 0, suite: suite)
    }
}

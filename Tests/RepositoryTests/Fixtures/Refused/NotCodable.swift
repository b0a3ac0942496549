// A value without a way to be stored.
import TypedDefaults

struct Angle: Sendable { var degrees = 0 }

extension Defaults.Keys {
    static let angle = Key<Angle>("angle", default: Angle())  // refused: conform to 'Decodable'
}

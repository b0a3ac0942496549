// A value that is not safe to share between threads.
import TypedDefaults

final class Box: Codable { var number = 0 }

extension Defaults.Keys {
    static let box = Key<Box>("box", default: Box())  // refused: does not conform to the 'Sendable' protocol
}

@testable import DefaultsStore

extension DefaultsSuite {
    /// Whether anybody observes the suite: what a stream that has ended must not do.
    var hasObservers: Bool { get throws { try context.store().hasObservers } }
}

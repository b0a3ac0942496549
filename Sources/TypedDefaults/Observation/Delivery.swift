public import DefaultsStore
public import Dispatch

extension DefaultsDelivery {
    /// Returns the delivery to a dispatch queue, one event at a time and in order, even if the queue is concurrent.
    public static func queue(_ queue: DispatchQueue) -> DefaultsDelivery {
        .custom { queue.async(execute: $0) }
    }
}

extension Defaults {
    /// The main actor as the place of a handler; written `on: .mainActor`.
    @_documentation(visibility: internal)
    public struct MainActorDelivery: Sendable {
        /// A handler called on the main actor, one event at a time and in order.
        public static let mainActor = MainActorDelivery()

        /// Runs pieces of work on the main queue, which is the main actor's thread.
        package static let delivery = DefaultsDelivery.queue(.main)
    }
}

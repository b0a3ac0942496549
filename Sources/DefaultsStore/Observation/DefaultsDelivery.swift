/// Where an observer's handler is called.
///
/// The engine knows such a place as a function that runs pieces of work there, in the order in which it is given
/// them. `TypedDefaults` adds `.queue(_:)`.
public struct DefaultsDelivery: Sendable {
    /// Nil runs the work at once.
    let submit: (@Sendable (@escaping @Sendable () -> Void) -> Void)?

    /// A handler called by the writing thread before its write returns, and by a background thread for changes from
    /// outside the process.
    ///
    /// Calls for one observer never overlap: what another thread writes during a call is handled after it by the
    /// thread that is calling, and that write does not wait. After a hundred such events the next writer or a background
    /// thread goes on.
    public static let immediate = DefaultsDelivery(submit: nil)

    /// A place of the caller's own; `submit` has to run what it is given eventually, on any thread.
    public static func custom(
        _ submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) -> DefaultsDelivery {
        DefaultsDelivery(submit: submit)
    }
}

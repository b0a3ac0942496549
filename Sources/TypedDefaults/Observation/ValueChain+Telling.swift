import DefaultsStore

/// From what was notified of a key to its observer's handler.
extension ValueChain {
    /// Calls a handler for each entry of a notice that changes the value, while the observer is active.
    ///
    /// An entry with the same value in another spelling is not a change.
    // Specialised, because generic code spends most of its time asking the runtime for types. The work is in a
    // function of its own, because the generic one would ask for the types that it needs before it finds the
    // specialised one.
    @_specialize(where Value == Bool)
    @_specialize(where Value == Int)
    @_specialize(where Value == Double)
    @_specialize(where Value == String)
    func tell(
        _ notice: ChangeNotice, to subscription: Subscription, _ handler: (Defaults.KeyChange<Value>) -> Void
    ) { tellEach(notice, to: subscription, handler) }

    @inline(never)
    private func tellEach(
        _ notice: ChangeNotice, to subscription: Subscription, _ handler: (Defaults.KeyChange<Value>) -> Void
    ) {
        for entry in notice.entries {
            guard let (old, new) = step(entry, isInitial: notice.isInitial), subscription.isActive else {
                continue
            }
            handler(
                Defaults.KeyChange(
                    oldValue: old, newValue: new, isInitial: notice.isInitial, cause: notice.cause,
                    isSecret: isSecret))
        }
    }
}

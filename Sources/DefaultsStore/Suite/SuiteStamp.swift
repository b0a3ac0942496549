/// What a cache keeps of a state to know whether it is still the present one, without keeping the state itself.
package struct SuiteStamp: Sendable {
    /// The journal's last generation.
    let generation: UInt64
    /// The store's epoch noted before the state was loaded.
    let epoch: UInt64
    /// The mapped counter to compare the generation with; nil where there is none.
    let page: MappedPage?

    /// The stamp of nothing: matches no state.
    package static let none = SuiteStamp(generation: 0, epoch: 0, page: nil)
}

/// What there is now, and what there is after each ring of a bell, unless that is the same.
///
/// Values are read when they are asked for: the one that is given last is the present one, and none comes out of order.
struct PresentValues<Element: Sendable>: AsyncSequence, Sendable {
    typealias Failure = Never

    let rings: AsyncStream<Void>
    let isSame: @Sendable (Element, Element) -> Bool
    let read: @Sendable () -> Element

    func makeAsyncIterator() -> Iterator { Iterator(values: self, rings: rings.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        let values: PresentValues
        var rings: AsyncStream<Void>.Iterator
        var last: Element?

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            // A cancelled task has nothing to begin with either.
            var isDue = last == nil && !Task.isCancelled
            while true {
                if !isDue, await rings.next(isolation: actor) == nil { return nil }
                isDue = false
                let present = values.read()
                if let last, values.isSame(last, present) { continue }
                last = present
                return present
            }
        }
    }
}
